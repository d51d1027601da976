#!/bin/bash
# Writes what a release carries into .build/dist: the sources of HEAD, the Debian packages of this machine's release, and
# SHA256SUMS. One commit and one machine give the same bytes.
#
# usage: dist.sh BINARY [VIEWER]
set -euo pipefail
binary=$(realpath "$1")
viewer=${2:+$(realpath "$2")}
cd "$(dirname "$0")/.."
version=$("$binary" --version | sed "s/.* //")
[ -z "$(git status --porcelain)" ] || echo "There are changes that are not committed: the sources are those of HEAD." >&2
rm -rf .build/dist
mkdir -p .build/dist
git archive --format=tar --prefix="lazyimg-$version/" HEAD | xz -9 -T1 >".build/dist/lazyimg-$version.tar.xz"
# The last line that each package's build prints is its path.
scripts/deb.sh "$binary" ${viewer:+"$viewer"} | grep '\.deb$' | xargs -I {} cp {} .build/dist/
cd .build/dist
sha256sum -- *.tar.xz *.deb >SHA256SUMS
printf '.build/dist/%s\n' *
