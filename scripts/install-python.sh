#!/bin/bash
# Installs what the tests of the server compare with, from PyPI into .build/python: botocore, which signs requests to S3,
# moto, a server of S3 that checks signatures, and kubernetes-validate.
#
# Does nothing where they are installed. Where PyPI cannot be reached it says so, and the tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=('moto[s3,iam]==5.2.5' flask==3.1.3 flask-cors==6.0.5 boto3==1.44.8 botocore==1.44.8 kubernetes-validate==1.37.0)
stamp=.build/python/installed
[ "$(cat $stamp 2>/dev/null)" != "${packages[*]}" ] || exit 0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ! timeout 300 python3 -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 15 \
    --only-binary :all: --target "$folder/python" "${packages[@]}" >"$folder/log" 2>&1; then
    echo "moto and botocore cannot be installed from PyPI, so their tests are skipped: $(tail -n 1 "$folder/log")"
    exit 0
fi
mkdir -p .build
rm -rf .build/python
mv "$folder/python" .build/python
echo "${packages[*]}" >$stamp
echo "Installed from PyPI: ${packages[*]}"
