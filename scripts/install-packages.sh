#!/bin/bash
# Installs the Debian packages that are missing to build lazyimg; with --test also those to test it, with
# --terminal-test those to look at windows of terminals, with --deb those to build a Debian package, with
# --arm64 those to compile for arm64 and to emulate other processors, with --desktop those to build the window
# (Desktop/), with --desktop-test those to test it, with --examples those to build Examples/, with --server-test those to
# test Server/ with --test. Prints what it installs, and nothing if nothing is missing. This is the only list of packages.
#
# usage: install-packages.sh [--test] [--terminal-test] [--deb] [--arm64] [--examples] [--desktop] [--desktop-test]
#            [--server-test] [--list]
set -euo pipefail

# These names exist in Debian 12 and 13 and in Ubuntu 24.04; `name?` is asked only where the release has it.
# Headers and libraries. FFmpeg, libavif, libjxl, libtiff, libcurl, libass and libmagic are loaded at run time.
build=(
    libavcodec-dev libavformat-dev libavutil-dev libswscale-dev
    libgif-dev libpng-dev libjpeg-dev libisal-dev libcurl4-openssl-dev
    libwebp-dev libavif-dev libjxl-dev libtiff-dev liblcms2-dev
    libass9 fonts-dejavu-core
    # Of its second name since Debian 13.
    libmagic1? libmagic1t64?
    # For linking.
    binutils g++ libc6-dev zlib1g-dev
    # To fetch the Swift packages.
    ca-certificates git
)
# A terminal and its process tools, valgrind (make leaks), a web server and certificates; independent
# programs that read the files written here, including a browser; Python (make fuzz, make api, axe-core).
test=(
    tmux time procps curl valgrind nginx-light openssl libjpeg-turbo-progs
    ffmpeg gifsicle webp libavif-bin libheif-examples libjxl-tools libtiff-tools imagemagick libglib2.0-bin
    dbus-daemon fish python3 python3-pip python3-pil python3-jsonschema
    # Of their own since Debian 13.
    libheif-plugin-x265? libheif-plugin-aomenc?
    # Ubuntu has a snap instead.
    chromium?
)
# Terminals, and screens that nobody sees.
terminal_test=(kitty foot xterm weston xvfb xdotool imagemagick libgl1-mesa-dri fonts-dejavu-core)
# Dependencies from libraries, and the checks of a package (make deb).
deb=(dpkg-dev lintian)
# For the windows of Examples/.
examples=(libsdl2-dev pkg-config)
# A compiler and a C library for arm64, and emulators of other processors (scripts/arm64.sh, scripts/machines.sh).
arm64=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)
# Languages that sign URLs, systemd's judge of its units, a preprocessor, networks of a test's own, load.
server_test=(nodejs php-cli systemd cpp iproute2 wrk)
# GTK 4, and icons for its buttons.
desktop=(libgtk-4-dev adwaita-icon-theme)
# A screen, keys and pointer, a window manager, pictures of the screen, software rendering with GL, a server.
desktop_test=(xvfb xdotool openbox imagemagick libgl1-mesa-dri fonts-dejavu-core python3)

wanted=("${build[@]}")
list=no
for argument; do
    case $argument in
        --test) wanted+=("${test[@]}") ;;
        --terminal-test) wanted+=("${terminal_test[@]}") ;;
        --deb) wanted+=("${deb[@]}") ;;
        --arm64) wanted+=("${arm64[@]}") ;;
        --examples) wanted+=("${examples[@]}") ;;
        --desktop) wanted+=("${desktop[@]}") ;;
        --desktop-test) wanted+=("${desktop_test[@]}") ;;
        --server-test) wanted+=("${server_test[@]}") ;;
        --list) list=yes ;;
        *) sed -n '/^# usage/,/^[^#]/s/^# //p' "$0" >&2; exit 64 ;;
    esac
done
if [ $list = yes ]; then
    printf '%s\n' "${wanted[@]%\?}"
    exit
fi

if ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian: please install the equivalents of ${wanted[*]}." >&2
    exit 0
fi
missing=()
for package in "${wanted[@]}"; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "${package%\?}" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done
asked=()
ask() {
    asked=()
    for package in "${missing[@]}"; do
        name=${package%\?}
        [ "$name" = "$package" ] || apt-cache show "$name" >/dev/null 2>&1 || continue
        asked+=("$name")
    done
}
ask
[ ${#asked[@]} -gt 0 ] || exit 0

root=()
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Missing: ${asked[*]}. As root, run: apt-get install ${asked[*]}" >&2
        exit 77
    fi
    root=(sudo)
fi

echo "Installing from Debian: ${asked[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
    ask
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "${asked[@]}" >"$log" 2>&1
}
# The package lists may be missing or outdated, as in a fresh container.
if ! install; then
    "${root[@]}" apt-get update -q >>"$log" 2>&1 || true
    if ! install; then
        tail -n 5 "$log" >&2
        echo "apt-get cannot install ${asked[*]}; see the lines above." >&2
        exit 69
    fi
fi
