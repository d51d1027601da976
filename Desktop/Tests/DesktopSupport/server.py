# Serves one file at every address and prints what happens: "get PATH" when a request arrives, "gone PATH" when
# its reader leaves before the answer. Answers are held until the line "go" comes; the first answer of each path
# that begins with /failing is an error.
import select
import socket
import sys
import threading

body = open(sys.argv[1], "rb").read()
released = threading.Event()
failed = set()


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def serve(connection):
    buffer = b""
    while True:
        while b"\r\n\r\n" not in buffer:
            part = connection.recv(65536)
            if not part:
                return
            buffer += part
        head, buffer = buffer.split(b"\r\n\r\n", 1)
        path = head.split()[1].decode()
        say("get " + path)
        if path.startswith("/failing") and path not in failed:
            failed.add(path)
            connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            continue
        while not path.startswith("/failing") and not released.is_set():
            if select.select([connection], [], [], 0.02)[0] and not connection.recv(1, socket.MSG_PEEK):
                say("gone " + path)
                return
        connection.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\nContent-Length: %d\r\n\r\n" % len(body) + body)


listener = socket.create_server(("127.0.0.1", 0))
say("port %d" % listener.getsockname()[1])


def accept():
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
for line in sys.stdin:
    if line.strip() == "go":
        released.set()
