#!/usr/bin/env python3
"""A server of S3 on 127.0.0.1 that checks signatures (moto), and the metadata of a machine that has its key (IMDSv2).

usage: moto.py PORT METADATA-PORT LOG [FILE...]

Makes the bucket `media` with the files, and `results`. Prints `ID SECRET` when it is ready, and writes a line for each request
to the log: method, target, status, and the range that is asked for. Ends with 77 where moto is not installed (scripts/install-python.sh).
"""
import http.server
import json
import os
import pathlib
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / ".build/python"))
# What makes the user.
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "3"
try:
    import boto3
    from moto.server import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import WSGIRequestHandler, make_server
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(77)

port, metadata_port, log = int(sys.argv[1]), int(sys.argv[2]), open(sys.argv[3], "a", buffering=1)


class Handler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_request(self, code="-", size="-"):
        print(self.command, self.path, int(code), self.headers.get("Range", "-"), file=log)


class Metadata(http.server.BaseHTTPRequestHandler):
    """Gives a key that is good for six minutes to who has asked for a token."""

    protocol_version = "HTTP/1.1"
    path_of_keys = "/latest/meta-data/iam/security-credentials/"

    def answer(self, status, text=""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_PUT(self):
        isAsked = self.path == "/latest/api/token" and self.headers.get("X-aws-ec2-metadata-token-ttl-seconds")
        self.answer(200, "token") if isAsked else self.answer(400)

    def do_GET(self):
        end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 360))
        answers = {
            self.path_of_keys: "role",
            self.path_of_keys + "role": json.dumps(
                {"Code": "Success", "AccessKeyId": key["AccessKeyId"], "SecretAccessKey": key["SecretAccessKey"],
                 "Expiration": end}),
        }
        if self.headers.get("X-aws-ec2-metadata-token") != "token":
            return self.answer(401)
        self.answer(200, answers[self.path]) if self.path in answers else self.answer(404)

    def log_message(self, *arguments):
        print("metadata", *arguments[1:], file=log)


server = make_server("127.0.0.1", port, DomainDispatcherApplication(create_backend_app), threaded=True, request_handler=Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
options = {"endpoint_url": f"http://127.0.0.1:{port}", "region_name": "us-east-1"}
anybody = {"aws_access_key_id": "nobody", "aws_secret_access_key": "nothing"}
iam = boto3.client("iam", **options, **anybody)
iam.create_user(UserName="server")
key = iam.create_access_key(UserName="server")["AccessKey"]
# What Server/README.md says is needed, and what fills the buckets.
actions = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:ListBucket", "s3:CreateBucket"]
iam.put_user_policy(
    UserName="server", PolicyName="media",
    PolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": actions, "Resource": "*"}]}))
s3 = boto3.client("s3", aws_access_key_id=key["AccessKeyId"], aws_secret_access_key=key["SecretAccessKey"], **options)
for bucket in ["media", "results"]:
    s3.create_bucket(Bucket=bucket)
for name in sys.argv[4:]:
    path, _, target = name.partition("=")
    s3.put_object(Bucket="media", Key=target or os.path.basename(path), Body=open(path, "rb").read(),
                  CacheControl="max-age=600")
threading.Thread(target=http.server.ThreadingHTTPServer(("127.0.0.1", metadata_port), Metadata).serve_forever, daemon=True).start()
print(key["AccessKeyId"], key["SecretAccessKey"], flush=True)
# Ends with its standard input.
sys.stdin.read()
