#!/bin/bash
# Installs from Debian what is missing to build (and, with --test, to test) lazyimg; says so when it
# does, and says nothing when all is there. The one list of packages.
#
# usage: install-packages.sh [--test] [--list]
set -euo pipefail

# Headers and libraries. FFmpeg, libavif and OpenSSL are loaded at run time where they are needed.
build=(
    libavcodec-dev libavformat-dev libavutil-dev libswscale-dev
    libgif-dev libpng-dev libjpeg62-turbo-dev libisal-dev libssl-dev libcurl4-openssl-dev
    libwebp-dev libavif-dev
    # What the Swift compiler links with.
    binutils gcc libc6-dev libstdc++-12-dev zlib1g-dev
    # Fetching swift-argument-parser.
    ca-certificates git
)
# A terminal to play in and its processes, the tool that finds lost memory (make leaks), a server to
# fetch from and its certificates; other people's programs that read what is written here, a browser
# among them; what changes numbers in files (make fuzz).
test=(
    tmux time procps valgrind nginx-light openssl libjpeg-turbo-progs
    ffmpeg gifsicle webp libavif-bin imagemagick libglib2.0-bin chromium
    dbus-daemon python3
)

wanted=("${build[@]}")
list=no
for argument; do
    case $argument in
        --test) wanted+=("${test[@]}") ;;
        --list) list=yes ;;
        *) echo "usage: $0 [--test] [--list]" >&2; exit 64 ;;
    esac
done
if [ $list = yes ]; then
    printf '%s\n' "${wanted[@]}"
    exit
fi

if ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian: see to it that you have the like of ${wanted[*]}." >&2
    exit 0
fi
missing=()
for package in "${wanted[@]}"; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

root=()
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Missing: ${missing[*]}. Have root run: apt-get install ${missing[*]}" >&2
        exit 77
    fi
    root=(sudo)
fi

echo "Installing from Debian: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "${missing[@]}" >"$log" 2>&1
}
# The lists of packages may be missing or old, as in a fresh container.
if ! install; then
    "${root[@]}" apt-get update -q >>"$log" 2>&1 || true
    if ! install; then
        tail -n 5 "$log" >&2
        echo "apt-get cannot install ${missing[*]}; the lines above say why." >&2
        exit 69
    fi
fi
