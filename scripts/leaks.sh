#!/bin/bash
# usage: leaks.sh BINARY: runs lazyimg under valgrind on complete and truncated media, and fails if memory is
# definitely lost, or used after it is freed or before it is written.
set -uo pipefail
suppressions=$(realpath "$(dirname "$0")/valgrind-suppressions.txt")
original=$(realpath "$1")
cd "$(dirname "$0")/../media"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# Valgrind gives up at the debug information that lld writes; symbols are enough.
binary=$work/lazyimg
objcopy --strip-debug "$original" "$binary"
LC_ALL=C valgrind --quiet "$binary" --version >/dev/null || exit 1

# 99 is valgrind's exit code; lazyimg itself fails for damaged media.
try() {
    LC_ALL=C valgrind --quiet --leak-check=full --show-leak-kinds=definite \
        --errors-for-leak-kinds=definite --error-exitcode=99 --log-file="$work/log" \
        --suppressions="$suppressions" \
        "$binary" "$@" >/dev/null 2>&1 </dev/null
    if [ $? = 99 ]; then
        echo "lazyimg $*"
        head -n 40 "$work/log"
        failed=1
    fi
}

for file in counter.gif disposal-mixed.gif small.mp4 vp9-alpha.webm mpeg4.avi cover-art.mp4 \
    encrypted.mp4 cover-art.m4a size-change.ts still-interlaced.png still.jpg still.webp \
    animation.png animation.avif animation.jxl animation.webp hdr.avif still.bmp still.heic \
    still.ico still.jxl still.tiff README.md; do
    half=$work/half-$file
    head -c $(($(stat -c %s "$file") / 2)) "$file" >"$half"
    for input in "$file" "$half"; do
        try play "$input" --frames - --format null --quiet
        try poster "$input" -o "$work/poster.png" --overwrite always
        try info "$input" --json --frames
    done
done
try play small.mp4 --frames "$work/frames" --quiet
try play counter.gif --frames /proc/nowhere --quiet
try convert sound.mp4 "$work/sound.mp4" --audio copy --force --width 32
try convert sound.webm "$work/sound.webm" --audio copy --force --width 32
try poster cover-art.mp4 --at embedded -o "$work/cover.png"
[ $failed = 0 ] && echo "valgrind found no leaks."
exit $failed
