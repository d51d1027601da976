"""A server on this machine that gives the files of media/, with ranges, and a playlist."""

import hashlib
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from jobs import MEDIA, PLAYLIST


class Files(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        name = self.path.strip("/")
        if name == "list.m3u8":
            data = PLAYLIST.encode()
        elif "/" not in name and (MEDIA / name).is_file():
            data = (MEDIA / name).read_bytes()
        else:
            return self.send_error(404)
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first = int(wanted[1]) if wanted else 0
        end = min(len(data), int(wanted[2]) + 1) if wanted and wanted[2] else len(data)
        self.send_response(206 if wanted else 200)
        if wanted:
            self.send_header("Content-Range", f"bytes {first}-{end - 1}/{len(data)}")
        self.send_header("Content-Length", str(end - first))
        self.send_header("ETag", f'"{hashlib.md5(data).hexdigest()}"')
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        try:
            self.wfile.write(data[first:end])
        except OSError:
            self.close_connection = True

    do_HEAD = do_GET

    def log_message(self, *arguments):
        pass


class Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        # A client that ended.
        pass


def start():
    """Starts it; returns its address."""
    server = Quiet(("127.0.0.1", 0), Files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"
