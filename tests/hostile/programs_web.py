"""Programs that lean on the tunnel. The server they talk to is the test's own, at the host's end of the pipe."""

from __future__ import annotations

UNREAD = """
import socket, time, os, urllib.request

PORT = int(os.environ["http_proxy"].rpartition(":")[2])
held = []
for _ in range(20):
    connection = socket.create_connection(("127.0.0.1", PORT))
    connection.sendall(b"GET http://shop.test/bytes/50000000 HTTP/1.1\\r\\nHost: shop.test\\r\\n\\r\\n")
    connection.recv(1)
    held.append(connection)
began = time.perf_counter()
for _ in range(50):
    assert urllib.request.urlopen("http://shop.test/bytes/1000").read() == b"x" * 1000
print((time.perf_counter() - began) / 50)
"""

FLOOD = """
import socket, sys, threading, time, os, urllib.request

PORT = int(os.environ["http_proxy"].rpartition(":")[2])


def flood():
    connection = socket.create_connection(("127.0.0.1", PORT))
    try:
        connection.sendall(b"GET http://shop.test/silent HTTP/1.1\\r\\n\\r\\n")
        while True:
            connection.sendall(b"x" * 65536)
    except OSError:
        pass


for _ in range(4):
    threading.Thread(target=flood, daemon=True).start()
block = "y" * (1 << 20)
for _ in range(20):
    sys.stderr.write(block)
began = time.perf_counter()
for _ in range(50):
    assert urllib.request.urlopen("http://shop.test/bytes/1000").read() == b"x" * 1000
print((time.perf_counter() - began) / 50)
"""

MANY_STREAMS = """
import os, socket

PORT = int(os.environ["http_proxy"].rpartition(":")[2])
held = [socket.create_connection(("127.0.0.1", PORT)) for _ in range(200)]
for connection in held[:100]:
    connection.close()
for connection in held[100:]:
    connection.settimeout(5)
    connection.sendall(b"GET http://shop.test/bytes/10 HTTP/1.1\\r\\n\\r\\n")
print(sum(connection.makefile("rb").read().endswith(b"x" * 10) for connection in held[100:]))
"""

THREADS = """
from concurrent.futures import ThreadPoolExecutor
import numpy, pandas, requests


def fetch(number):
    return len(requests.get(f"http://shop.test/bytes/{1000 + number}").content)


with ThreadPoolExecutor(16) as pool:
    sizes = list(pool.map(fetch, range(64)))
frame = pandas.DataFrame({"size": sizes})
print(frame["size"].sum(), int(numpy.linalg.norm(numpy.ones((200, 200)) @ numpy.ones((200, 200)))))
"""

UPLOAD = """
import os, socket

PORT = int(os.environ["http_proxy"].rpartition(":")[2])
connection = socket.create_connection(("127.0.0.1", PORT))
connection.sendall(b"PUT http://shop.test/count HTTP/1.1\\r\\n\\r\\n")
for _ in range(64):
    connection.sendall(b"z" * (1 << 18))
connection.shutdown(socket.SHUT_WR)
print(connection.makefile("rb").read().rpartition(b"\\r\\n")[2].decode())
"""
