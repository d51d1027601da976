#!/bin/bash
# Does what Server/deploy/Containerfile says, step by step, without a container engine: each stage is a chroot of the Debian
# release of its image that debootstrap makes (scripts/chroot.sh), with what the image has beyond that. RUN, COPY, ENV,
# WORKDIR, USER and ENTRYPOINT count as an engine has them; what is another instruction is an error. At last the program
# is started by its ENTRYPOINT as its USER, and has to make a picture of each kind of source.
#
# COPY . takes HEAD. PROGRAM takes the place of what is built, so that only the steps of packages are run: the build takes
# a quarter of an hour. ROOT (.build/containerfile) is kept and used again; remove it for a fresh one. Needs root.
#
# usage: containerfile.sh [CONTAINERFILE]
set -euo pipefail
cd "$(dirname "$0")/.."
file=${1:-Server/deploy/Containerfile}
[ "$(id -u)" = 0 ] || { echo "containerfile.sh mounts file systems and changes the root: please run it as root." >&2; exit 77; }
base=$(realpath -m "${ROOT:-.build/containerfile}")
[ "${BARE_NAMESPACE:-}" ] || BARE_NAMESPACE=yes exec unshare --mount --propagation private "$0" "$@"
. scripts/chroot.sh

# What the images of Swift have beyond Debian's (swift-docker, 6.*/debian/12).
swift_image="binutils libicu-dev libcurl4-openssl-dev libedit-dev libsqlite3-dev libncurses-dev libpython3-dev libxml2-dev
    pkg-config uuid-dev tzdata git gcc libstdc++-12-dev"
declare -A roots
number=0 root="" folder=/ user="" entry="" variables=()

fail() { echo "$file: $*" >&2; exit 1; }
# logged COMMAND...: its output is shown where it fails.
logged() { "$@" >"$base/step.log" 2>&1 || { tail -n 20 "$base/step.log" >&2; return 1; }; }

from() {
    local image=$1 name=${3:-$number} release
    number=$((number + 1)) folder=/ user="" entry="" variables=()
    root=$base/$number
    roots[$name]=$root
    case $image in
        docker.io/library/swift:*-bookworm | docker.io/library/debian:bookworm*) release=bookworm ;;
        docker.io/library/debian:trixie*) release=trixie ;;
        *) fail "the image $image is not known here" ;;
    esac
    mkdir -p "$base"
    case $image in
        *swift:*)
            make_chroot "$root" "$release" with-toolchain
            logged inside "$root" "apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -yq $(echo $swift_image)"
            ;;
        *) make_chroot "$root" "$release" ;;
    esac
}

copy() {
    case $1 in
        --from=*)
            local from=${roots[${1#--from=}]:?no such stage}
            [ -e "$from$2" ] || fail "the stage ${1#--from=} has no $2"
            install -D "$from$2" "$root$3"
            ;;
        .) git archive HEAD | tar -x -C "$root$folder" ;;
        *) fail "COPY $1 is not known here" ;;
    esac
}

run() {
    if [ -n "${PROGRAM:-}" ] && [[ $1 == *"swift build"* ]]; then
        install -D "$PROGRAM" "$root/out/lazyimg-server"
        return
    fi
    logged inside "$root" "cd $folder && $1" DEBIAN_FRONTEND=noninteractive "${variables[@]}" || fail "RUN $1"
    # The package ca-certificates writes its own ones.
    keep_certificates "$root"
}

# An instruction a line: comments are left out, and lines that end with a backslash go on.
while read -r instruction rest; do
    begin=$SECONDS
    case $instruction in
        FROM) from $rest ;;
        WORKDIR) folder=$rest; mkdir -p "$root$folder" ;;
        RUN) run "$rest" ;;
        COPY) copy $rest ;;
        ENV) variables+=($rest) ;;
        USER) user=$rest ;;
        ENTRYPOINT) entry=$(python3 -c 'import json, shlex, sys; print(shlex.join(json.loads(sys.argv[1])))' "$rest") ;;
        EXPOSE | STOPSIGNAL) ;;
        *) fail "the instruction $instruction is not known here" ;;
    esac
    printf '%s: %s s: %s %s\n' "$number" $((SECONDS - begin)) "$instruction" "${rest:0:70}"
done < <(sed -e '/^ *#/d' -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' "$file" | sed '/^ *$/d')

[ -n "$entry" ] || fail "there is no ENTRYPOINT"
mkdir -p "$root/media"
cp media/clip.mp4 media/still.jpg media/animation.avif media/animation.png media/counter.gif media/still-rgb8.png "$root/media/"
# As an engine starts it: without a capability.
start="echo \$\$ >/tmp/pid; exec setpriv --reuid ${user%:*} --regid ${user#*:} --clear-groups --bounding-set=-all --no-new-privs $entry \
    --unsafe --root /media --port 18690 --admin-port 18691 --drain-delay 0"
inside "$root" "$start" "${variables[@]}" 2>"$base/server.log" &
server=$!
stop() { kill "$(cat "$root/tmp/pid")" 2>/dev/null; }
trap stop EXIT
ready=no
for _ in $(seq 100); do
    curl --noproxy "*" -fso /dev/null http://127.0.0.1:18691/readyz && { ready=yes; break; }
    sleep 0.1
done
[ $ready = yes ] || { tail -n 5 "$base/server.log" >&2; fail "the program does not start"; }
failed=0
for source in clip.mp4 still.jpg animation.avif animation.png counter.gif still-rgb8.png; do
    for ending in webp avif jpg png gif jxl; do
        answer=$(curl --noproxy "*" -so "$base/answer" -w '%{http_code}' "http://127.0.0.1:18690/unsafe/w:32/da:1/plain/local:///$source@$ending") || true
        [ "$answer" = 200 ] || { echo "$source as $ending: $answer $(head -c 200 "$base/answer")" >&2; failed=1; }
    done
done
for ending in webp gif mp4 webm; do
    answer=$(curl --noproxy "*" -so "$base/answer" -w '%{http_code}' "http://127.0.0.1:18690/unsafe/w:32/lz_animate:1/plain/local:///clip.mp4@$ending") || true
    [ "$answer" = 200 ] || { echo "clip.mp4 as $ending: $answer $(head -c 200 "$base/answer")" >&2; failed=1; }
done
[ $failed = 0 ] || { tail -n 5 "$base/server.log" >&2; exit 1; }
trap - EXIT
stop
wait "$server" || fail "the program ended with $?"
echo "The image serves pictures and films."
