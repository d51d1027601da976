#!/bin/bash
# Tries a binary on machines that lack what most have, each made from this one: an older processor (emulated), a locale
# that is not UTF-8, no environment, a read-only root, no /dev/shm, no folder for temporary files, no user namespaces, no
# /proc. What a film, an animation and a picture become has to be equal everywhere, in this process and isolated, and
# `doctor` has to say what is missing. Prints a table; exits with 1 if one fails.
#
# usage: machines.sh BINARY (as root; scripts/install-packages.sh --arm64 has the emulator)
set -uo pipefail
binary=$(realpath "$1")
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "machines.sh changes mounts: it needs root." >&2; exit 77; }
mkdir -p .build
work=$(realpath "$(mktemp -d .build/machines.XXXXXX)")
trap 'rm -rf "$work"' EXIT
mkdir "$work/empty" "$work/out"
export work
status=0

# shellcheck disable=SC2016
tried='
    set -e
    binary=$1 media=$2 isolation=$3
    shift 3
    lazyimg() { command=$1 && shift && "${launcher[@]}" "$binary" "$command" "$@" --isolate "$isolation" --quiet; }
    launcher=("$@")
    hash() { lazyimg play "$1" --frames - --format framehash; }
    hash "$media/small.mp4"
    lazyimg poster "$media/clip.mp4" -o poster.png
    hash poster.png
    lazyimg poster - -o - -f png <"$media/clip.mp4" >input.png
    hash input.png
    lazyimg poster "$media/still.heic" -o still.png
    hash still.png
    lazyimg convert "$media/counter.gif" -o counter.webp
    hash counter.webp
    lazyimg convert "$media/counter.gif" -o counter.mp4 --allow-larger
    hash counter.mp4
    # A name in ISO-8859-1 stays the same bytes, and text is UTF-8.
    name=$(printf "na\357ve")
    cp "$media/counter.gif" "$name.gif"
    lazyimg play "$name.gif" --frames "$name"
    ls "$name" | wc -l
    "${launcher[@]}" "$binary" info "$name.gif" --json | grep -c inputBytes
    "${launcher[@]}" "$binary" info ü.gif 2>&1 | grep -c "ü.gif: No such file"
'

# usage: try NAME SAID ISOLATION LAUNCHER COMMAND...: compares what is tried by a command. SAID is a pattern that a line of
# `doctor` has to match there.
try() {
    local name=$1 pattern=$2 isolation=$3 launcher=$4 result=equal way said
    shift 4
    for way in $isolation; do
        rm -rf "${work:?}/out"/*
        # shellcheck disable=SC2086
        if ! (cd "$work/out" && "$@" bash -c "$tried" tried "$binary" "$OLDPWD/media" "$way" $launcher) \
            >"$work/results" 2>"$work/errors"; then
            result="fails ($way): $(tail -n 1 "$work/errors")"
        elif [ ! -e "$work/expected" ]; then
            cp "$work/results" "$work/expected"
        elif ! diff "$work/expected" "$work/results" >"$work/errors"; then
            result="differs ($way): $(sed -n 2p "$work/errors")"
        fi
    done
    # shellcheck disable=SC2086
    said=$("$@" $launcher "$binary" doctor 2>&1 | grep -E -m 1 -- "$pattern" | sed -E 's/^ +//; s/  +/ /g')
    [ -n "$said" ] && [ "$result" = equal ] || status=1
    printf '%s|%s|%s\n' "$name" "$result" "${said:-SAYS NOTHING OF $pattern}"
}

# usage: mounted SCRIPT COMMAND...: runs a command after a script, whose mounts only it sees.
mounted() {
    # shellcheck disable=SC2016
    unshare -m bash -c 'mount --make-rprivate / && eval "$1" && shift && cd "$PWD" && exec "$@"' mounted "$@"
}
# shellcheck disable=SC2016
{
    read_only='mount --bind "$work/out" "$work/out" && findmnt -rno TARGET | while read -r place; do
        case $place in "$work/out" | /dev | /dev/pts | /proc* | /sys*) ;; *) mount -o remount,bind,ro "$place" ;; esac
    done'
    no_shared_memory='mount --bind -o ro "$work/empty" /dev/shm'
    no_temporary='mount --bind -o ro "$work/empty" /tmp && mount --bind -o ro "$work/empty" /var/tmp'
}
no_namespaces() {
    # shellcheck disable=SC2016
    unshare -Urm bash -c 'for kind in user pid; do echo 0 >/proc/sys/user/max_${kind}_namespaces; done; exec "$@"' none "$@"
}

both="never always"
try_all() {
    try "this machine" "lazyimg +[0-9]" "$both" "" env
    if [ "$(uname -m)" = x86_64 ]; then
        try "no AVX2 (Nehalem)" "without AVX2;" never "qemu-x86_64 -cpu Nehalem" env
    fi
    try "locale C" "locale +C, not UTF-8;" "$both" "" env -u LC_ALL -u LC_CTYPE LANG=C
    try "locale ISO-8859-1" "locale .*, not UTF-8;" "$both" "" env LC_ALL=de_DE.ISO-8859-1
    try "no environment" "home +not set;" "$both" "" env -i "PATH=$PATH"
    try "read-only root" "caches .*;" "$both" "" mounted "$read_only"
    try "no /dev/shm" "/dev/shm +no files .*;" "$both" "" mounted "$no_shared_memory"
    try "no temporary files" "temporary +no files .*;" "$both" "" env -u TMPDIR bash -c "$(declare -f mounted)
        mounted '$no_temporary' \"\$@\"" mounted
    try "no user namespaces" "namespaces\): no.*;" "$both" "" no_namespaces
    # Swift's Dispatch ends programs that use its threads without /proc, as isolated decoding does.
    try "no /proc" "/proc +not mounted;" never "" mounted "umount -lR /proc"
}
try_all >"$work/table"
column -t -s "|" "$work/table"
exit $status
