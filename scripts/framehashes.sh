#!/bin/bash
# Prints a line for each film, animation and picture of FOLDER: its name and a digest of all frames, with their
# times, or of the error.
#
# usage: framehashes.sh BINARY [FOLDER]
set -uo pipefail
binary=$(realpath "$1")
cd "${2:-$(dirname "$0")/../media}" || exit 66
find . -type f ! -name '*.md' ! -name '*.txt' ! -name '*.json' -printf '%P\n' | LC_ALL=C sort | while IFS= read -r file; do
    digest=$(timeout 60 "$binary" play "$file" --frames - --format framehash --quiet 2>&1 </dev/null | sha256sum)
    printf '%s  %s\n' "${digest:0:16}" "$file"
done
