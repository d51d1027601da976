#!/bin/bash
# Runs the two commands of the README, one after the other in one clone of HEAD, in a chroot of a Debian release
# that debootstrap makes, where nothing is installed but what a Swift toolchain needs, and what the project's own
# scripts install. Then compares the frames of all of media/ with those in scripts/framehashes.txt, but for the
# differences of scripts/framehash-differences.txt, and builds, checks and installs the Debian packages.
#
# The chroot is that of scripts/chroot.sh. Mounts are in a namespace of their own and end with this script. Needs root.
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

. scripts/chroot.sh
make_chroot "$root" "$release" with-toolchain
failed=()
# step NAME COMMAND: runs it in the clone unless it was not asked for.
step() {
    case " ${STEPS:-play test frames packages} " in *" $1 "*) ;; *) return 0 ;; esac
    local begin=$SECONDS status=0
    inside "$root" "cd /root/lazyimg && $2" >"$root.$1.log" 2>&1 || status=$?
    printf '%s: %s: exit %s after %d s\n' "$release" "$1" "$status" $((SECONDS - begin))
    tail -n 3 "$root.$1.log" | sed 's/^/    /'
    [ "$status" = 0 ] || failed+=("$1")
}

# What Swift's own instructions ask for, and what a clone and make need.
inside "$root" "apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends git make \
    binutils g++ gcc libc6-dev ca-certificates libcurl4 libncurses6 libpython3-stdlib libsqlite3-0 libxml2 tzdata zlib1g-dev" \
    >"$root.apt.log" 2>&1 || { tail -n 5 "$root.apt.log" >&2; exit 69; }
keep_certificates "$root"
# A clone of HEAD. What an earlier run built is kept: remove ROOT for a run from nothing.
git bundle create --quiet "$root/root/lazyimg.bundle" HEAD
inside "$root" "cd /root && git -c init.defaultBranch=main init -q lazyimg && cd lazyimg && git fetch -q ../lazyimg.bundle HEAD &&
    git checkout -q -f --detach FETCH_HEAD"

step play "make play"
step test "make test"
step frames "scripts/framehashes.sh .build/release/lazyimg | scripts/compare-framehashes.sh $release"
step packages "make deb-view && apt-get install -yq --no-install-recommends ./.build/deb/*.deb &&
    cd media && /usr/bin/lazyimg poster clip.mp4 -o /tmp/poster.png --overwrite always && /usr/bin/lazyimg-view --version"
[ ${#failed[@]} = 0 ] || { echo "$release: failed: ${failed[*]}; logs: $root.*.log" >&2; exit 1; }
