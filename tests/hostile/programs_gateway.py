"""Programs that try the gateway through the proxy they are given. argv[1] is the one place they may reach."""

from __future__ import annotations

RELAY = """
import os, socket, sys, threading

PORT = int(os.environ["http_proxy"].rpartition(":")[2])
site = sys.argv[1]


def pump(source, sink):
    while data := source.recv(65536):
        sink.sendall(data)
    sink.shutdown(socket.SHUT_WR)


def relay(listener):
    while True:
        inner, _ = listener.accept()
        outer = socket.create_connection(("127.0.0.1", PORT))
        for pair in ((inner, outer), (outer, inner)):
            threading.Thread(target=pump, args=pair, daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=relay, args=(listener,), daemon=True).start()


def ask(text):
    with socket.create_connection(listener.getsockname()) as connection:
        connection.sendall(text.replace("\\n", "\\r\\n").encode())
        return connection.recv(65536).split(b" ")[1].decode()


print(ask("CONNECT evil.test:443 HTTP/1.1\\nHost: evil.test:443\\n\\n"))
print(ask("GET http://169.254.169.254/latest HTTP/1.1\\nHost: 169.254.169.254\\nConnection: close\\n\\n"))
print(ask(f"CONNECT evil.test@{site} HTTP/1.1\\nHost: {site}\\n\\n"))
print(ask(f"CONNECT {site} HTTP/1.1\\nHost: evil.test:443\\n\\n"))
print(ask(f"GET http://{site}/ HTTP/1.1\\nHost: {site}\\nConnection: close\\n\\n"))
"""

THOUSAND = """
import os, socket, sys, urllib.request

PORT = int(os.environ["http_proxy"].rpartition(":")[2])
made = 0
for number in range(int(sys.argv[2])):
    with socket.create_connection(("127.0.0.1", PORT)) as connection:
        host = b"n%d.evil.test" % number
        connection.sendall(b"GET http://" + host + b"/ HTTP/1.1\\r\\nHost: " + host + b"\\r\\n\\r\\n")
        made += connection.recv(65536).startswith(b"HTTP/1.1 403 ")
assert urllib.request.urlopen(f"http://{sys.argv[1]}/").read() == b"hello"
print(made)
"""

UNREAD_TAPE = """
import os, socket, sys, urllib.request

PORT = int(os.environ["http_proxy"].rpartition(":")[2])
site, size = sys.argv[1], int(sys.argv[2])
held = []
for _ in range(40):
    connection = socket.create_connection(("127.0.0.1", PORT))
    head = f"GET http://{site}/large HTTP/1.1\\r\\nHost: {site}\\r\\nConnection: close\\r\\n\\r\\n"
    connection.sendall(head.encode())
    connection.recv(1)
    held.append(connection)
good = sum(urllib.request.urlopen(f"http://{site}/").read() == b"hello" for _ in range(20))
whole = held[-1].makefile("rb").read().partition(b"\\r\\n\\r\\n")[2]
print(good, len(whole))
"""
