#!/bin/bash
# Runs the two commands of the README, one after the other in one clone of HEAD, in a chroot of a Debian release
# that debootstrap makes, where nothing is installed but what a Swift toolchain needs, and what the project's own
# scripts install. Then compares the frames of all of media/ with those in scripts/framehashes.txt, but for the
# differences of scripts/framehash-differences.txt, and builds, checks and installs the Debian packages.
#
# The toolchain of this machine is mounted, and the folder that git reads Swift packages from, if it is told one
# (url.FOLDER.insteadOf). Mounts are in a namespace of their own and end with this script. Needs root.
#
# STEPS (all of them) may be a selection of: play test frames packages. ROOT (.build/bare/RELEASE) is kept and used
# again; remove it for a fresh one. MIRROR is debootstrap's. Logs are in ROOT.STEP.log.
#
# usage: bare.sh RELEASE
set -euo pipefail
cd "$(dirname "$0")/.."
release=${1:?usage: bare.sh RELEASE}
[ "$(id -u)" = 0 ] || { echo "bare.sh mounts file systems and changes the root: please run it as root." >&2; exit 77; }
root=$(realpath -m "${ROOT:-.build/bare/$release}")
# A fresh mount namespace, so that nothing is left mounted, however this ends.
[ "${BARE_NAMESPACE:-}" ] || BARE_NAMESPACE=yes exec unshare --mount --propagation private "$0" "$@"

command -v debootstrap >/dev/null || apt-get install -y -q --no-install-recommends debootstrap >/dev/null
swift=$(realpath "$(command -v swift)") toolchain=${swift%/usr/bin/*}
packages=$(git config --get-regexp 'url\..*\.insteadof' | sed -nE 's#^url\.(file://)?(/[^ ]*)\.insteadof .*#\2#p' | head -n 1)

if [ ! -e "$root/etc/debian_version" ]; then
    mkdir -p "$root"
    debootstrap --variant=minbase "$release" "$root" ${MIRROR:+"$MIRROR"} >"$root.debootstrap.log" 2>&1 ||
        { tail -n 5 "$root.debootstrap.log" >&2; exit 69; }
fi
for folder in "$toolchain" $packages; do
    mkdir -p "$root$folder"
    mount --bind -o ro "$folder" "$root$folder"
done
for folder in /dev /proc /sys; do mount --rbind "$folder" "$root$folder"; done
# How this machine reaches the network.
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
find /etc/apt/apt.conf.d -type f -exec grep -qE 'Proxy|CaInfo' {} \; -exec cp {} "$root/etc/apt/apt.conf.d/" \;
cp /etc/gitconfig "$root/etc/" 2>/dev/null || true
git config --global --list >/dev/null 2>&1 && cp ~/.gitconfig "$root/root/" 2>/dev/null || true
for certificates in ${SSL_CERT_FILE:-}; do
    mkdir -p "$root$(dirname "$certificates")"
    [ -e "$root$certificates" ] || cp "$certificates" "$root$certificates"
done

inside() {
    env -i HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}" \
        PATH="$toolchain/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
        $(env | grep -iE '^(https?_proxy|no_proxy|ssl_cert_[a-z]*|pip_[a-z_]*|git_ssl_[a-z]*)=' || true) \
        chroot "$root" bash -c "$1"
}
failed=()
# step NAME COMMAND: runs it in the clone unless it was not asked for.
step() {
    case " ${STEPS:-play test frames packages} " in *" $1 "*) ;; *) return 0 ;; esac
    local begin=$SECONDS status=0
    inside "cd /root/lazyimg && $2" >"$root.$1.log" 2>&1 || status=$?
    printf '%s: %s: exit %s after %d s\n' "$release" "$1" "$status" $((SECONDS - begin))
    tail -n 3 "$root.$1.log" | sed 's/^/    /'
    [ "$status" = 0 ] || failed+=("$1")
}

# What Swift's own instructions ask for, and what a clone and make need.
inside "apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends git make \
    binutils g++ gcc libc6-dev ca-certificates libcurl4 libncurses6 libpython3-stdlib libsqlite3-0 libxml2 tzdata zlib1g-dev" \
    >"$root.apt.log" 2>&1 || { tail -n 5 "$root.apt.log" >&2; exit 69; }
# Again, as the package ca-certificates has written its own ones.
for certificates in ${SSL_CERT_FILE:-}; do mount --bind -o ro "$certificates" "$root$certificates"; done
# A clone of HEAD. What an earlier run built is kept: remove ROOT for a run from nothing.
git bundle create --quiet "$root/root/lazyimg.bundle" HEAD
inside "cd /root && git -c init.defaultBranch=main init -q lazyimg && cd lazyimg && git fetch -q ../lazyimg.bundle HEAD &&
    git checkout -q -f --detach FETCH_HEAD"

step play "make play"
step test "make test"
step frames "scripts/framehashes.sh .build/release/lazyimg | scripts/compare-framehashes.sh $release"
step packages "make deb-view && apt-get install -yq --no-install-recommends ./.build/deb/*.deb &&
    cd media && /usr/bin/lazyimg poster clip.mp4 -o /tmp/poster.png --overwrite always && /usr/bin/lazyimg-view --version"
[ ${#failed[@]} = 0 ] || { echo "$release: failed: ${failed[*]}; logs: $root.*.log" >&2; exit 1; }
