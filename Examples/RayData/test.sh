#!/bin/bash
# usage: test.sh [BINARY]: runs the example on two cores and looks at what it made.
#
# Ray comes from PyPI into a folder of its own (RAY_ENV, kept for the next time). Where it cannot be
# had the test is skipped, with 77.
set -euo pipefail
cd "$(dirname "$0")"
export LAZYIMG=${1:-${LAZYIMG:-$(realpath ../../.build/debug/lazyimg)}}
skip() { echo "skipped: $1" && exit 77; }
[ -x "$LAZYIMG" ] || skip "there is no $LAZYIMG"
env=${RAY_ENV:-${XDG_CACHE_HOME:-$HOME/.cache}/lazyimg-ray}
if ! "$env/bin/python" -c 'import ray.data' 2>/dev/null; then
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' || skip "Python 3.9 is needed"
    python3 -m venv "$env" 2>/dev/null || skip "python3 has no venv"
    timeout 600 "$env/bin/pip" install --quiet 'ray[data]>=2.40' || skip "PyPI has no Ray for us"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/clips"
for number in $(seq 1 40); do cp ../../media/counter.gif "$work/clips/c$number.gif"; done
cp ../../media/clip.mp4 "$work/clips/clip.mp4"
printf 'GIF89a' >"$work/clips/broken.gif"
"$LAZYIMG" poster "$work/clips/clip.mp4" --width 64 -o "$work/clip.png"
export RAY_DISABLE_IMPORT_WARNING=1 RAY_DEDUP_LOGS=0 RAY_USAGE_STATS_ENABLED=0
timeout 300 "$env/bin/python" thumbnails.py --cpus 2 --options '--width 64' --out "$work/out" \
    "$work"/clips/* 2>"$work/errors" | tee "$work/text" || { cat "$work/errors" && exit 1; }
grep -q '^41 made, 1 failed$' "$work/text"
grep -q '^broken.gif: ' "$work/text"
[ "$(ls "$work/out" | wc -l)" = 41 ]
cmp "$work/clip.png" "$work/out/clip.mp4.png"
for number in $(seq 2 40); do cmp "$work/out/c1.gif.png" "$work/out/c$number.gif.png"; done
echo "passed"
