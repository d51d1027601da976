"""A server of byte ranges on 127.0.0.1 that counts what it sends."""

import http.server
import os
import re
import threading


class RangeServer:
    """Serves the files of a folder until it is stopped."""

    def __init__(self, folder):
        self.bytes = self.requests = 0
        self.lock = threading.Lock()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler(folder))
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def url(self, path):
        return f"http://127.0.0.1:{self.server.server_port}/{os.path.basename(path)}"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def reset(self):
        with self.lock:
            self.bytes = self.requests = 0

    def count(self, requests, size):
        with self.lock:
            self.requests += requests
            self.bytes += size

    def handler(server, folder):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self):
                path = os.path.join(folder, os.path.basename(self.path))
                size = os.path.getsize(path)
                asked = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
                start, end = 0, size
                if asked and asked[1]:
                    start, end = int(asked[1]), min(size, int(asked[2] or size - 1) + 1)
                elif asked:
                    start = max(0, size - int(asked[2]))
                server.count(1, 0)
                self.send_response(206 if asked else 200)
                if asked:
                    self.send_header("Content-Range", f"bytes {start}-{end - 1}/{size}")
                self.send_header("Content-Length", str(end - start))
                self.send_header("Accept-Ranges", "bytes")
                self.send_header("ETag", f'"{size}"')
                self.send_header("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")
                self.end_headers()
                self.send(path, start, end)

            def send(self, path, start, end):
                with open(path, "rb") as file:
                    file.seek(start)
                    while start < end:
                        piece = file.read(min(1 << 16, end - start))
                        try:
                            self.wfile.write(piece)
                        except OSError:
                            self.close_connection = True
                            return
                        server.count(0, len(piece))
                        start += len(piece)

            def log_message(self, *words):
                pass

        return Handler
