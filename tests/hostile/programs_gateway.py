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

ELSEWHERE = """
import json, os, socket, sys

PORT = int(os.environ["http_proxy"].rpartition(":")[2])
site, other = sys.argv[1], sys.argv[2]
near = site.rpartition(":")[2]


def ask(text):
    with socket.create_connection(("127.0.0.1", PORT)) as connection:
        connection.sendall(text.replace("\\n", "\\r\\n").encode())
        answer = b""
        while data := connection.recv(65536):
            answer += data
    head = answer.partition(b"\\r\\n\\r\\n")[0].decode("latin-1")
    return head.split(" ")[1], dict(line.lower().split(": ", 1) for line in head.split("\\r\\n")[1:])


def get(url, host=None, more=""):
    host = host or url.split("/")[2].rpartition("@")[2]
    return ask(f"GET {url} HTTP/1.1\\nHost: {host}\\nConnection: close\\n{more}\\n")


found = {}
for name in ("127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "017700000001", "[::ffff:127.0.0.1]",
             "[64:ff9b::7f00:1]", "127.0.0.1.", f"{site}@127.0.0.1"):
    found[name] = get(f"http://{name}:{other}/")[0]
for name in ("127.0.0.1.evil.test", "evil127.0.0.1", "xn--127001-x0a.test"):
    found[name] = get(f"http://{name}:{near}/")[0]
status, headers = get(f"http://{site}/away")
found["the redirect"] = status
found["where it leads"] = get(headers["location"])[0]
found["another host's name"] = get(f"http://{site}/", host="evil.test")[0]
found["two lengths"] = ask(
    f"POST http://{site}/ HTTP/1.1\\nHost: {site}\\nContent-Length: 4\\nTransfer-Encoding: chunked\\n\\n0\\n\\n"
    f"GET http://{site}/smuggled HTTP/1.1\\nHost: {site}\\n\\n"
)[0]
found["a long head"] = get(f"http://{site}/", more="X: " + "a" * 80000 + "\\n")[0]
found["the site"] = get(f"http://{site}/")[0]
print(json.dumps(found))
"""
