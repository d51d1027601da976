"""Random requests and how botocore signs them, a line of JSON each.

usage: sign.py COUNT SEED; ends with 77 where botocore is not installed (scripts/install-python.sh)
"""
import datetime
import json
import pathlib
import random
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / ".build/python"))
try:
    import botocore.auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials
except ImportError:
    sys.exit(77)

count, chance = int(sys.argv[1]), random.Random(int(sys.argv[2]))
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
KEYS = LETTERS + "/////-_.~ !\"#$%&'()*+,:;<=>?@[\\]^`{|}éß漢字😀"


def text(letters, least, most):
    return "".join(chance.choice(letters) for _ in range(chance.randint(least, most)))


def url():
    scheme = chance.choice(["http", "https"])
    bucket = text(LETTERS[:26] + "0123456789-.", 3, 20).strip("-.") or "bucket"
    host = chance.choice(
        [f"{bucket}.s3.eu-west-1.amazonaws.com", "s3.amazonaws.com", "127.0.0.1:9000", "minio:443", "minio:80",
         "[::1]:9000", "Storage.Example.COM"])
    path = "/" + urllib.parse.quote(text(KEYS, 0, 40), safe="/-_.~")
    names = ["list-type", "prefix", "versionId", "continuation-token", "a", "A", "uploads", "x-id", text(KEYS, 1, 5)]
    pairs = []
    for name in chance.sample(names, chance.randint(0, 4)):
        name = urllib.parse.quote(name, safe="-_.~")
        form = chance.random()
        value = urllib.parse.quote(text(KEYS, 0, 12), safe="-_.~")
        pairs.append(name if form < 0.1 else f"{name}={value}")
        if form > 0.9:
            pairs.append(f"{name}=0")
    return f"{scheme}://{host}{path}" + ("?" + "&".join(pairs) if pairs else "")


def headers():
    names = ["Content-Type", "If-None-Match", "Range", "x-amz-meta-a", "X-Amz-Acl", "Cache-Control", "User-Agent",
             "Expect", "X-Custom", "If-Modified-Since", "x-amzn-trace-id"]
    values = LETTERS + "  \t*\"=;,-/"
    return [(name, text(values, 1, 30).strip() or "*") for name in chance.sample(names, chance.randint(0, 5))]


class Signer(botocore.auth.S3SigV4Auth):
    pass


for _ in range(count):
    seconds = chance.randint(0, 4_000_000_000)
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    botocore.auth.get_current_datetime = lambda moment=moment: moment
    body = bytes(chance.randrange(256) for _ in range(chance.choice([0, 0, 1, 63, 64, 65, 200])))
    fields, address = headers(), url()
    method = chance.choice(["GET", "PUT", "DELETE", "HEAD", "POST"])
    key = Credentials(
        text(LETTERS[26:], 16, 24), text(LETTERS + "/+", 1, 90), text(LETTERS + "/+=", 20, 200) if chance.random() < 0.5 else None)
    region = chance.choice(["us-east-1", "eu-central-1", "auto", "garage"])
    request = AWSRequest(method=method, url=address, headers=dict(fields), data=body)
    Signer(key, "s3", region).add_auth(request)
    print(json.dumps({
        "method": method, "url": address, "names": [n for n, _ in fields], "values": [v for _, v in fields],
        "body": body.hex(), "id": key.access_key, "secret": key.secret_key, "token": key.token or "", "region": region,
        "seconds": seconds, "date": request.headers["X-Amz-Date"], "digest": request.headers["X-Amz-Content-SHA256"],
        "authorization": request.headers["Authorization"]}, ensure_ascii=True))
