# Sourced by what runs commands in a chroot of a Debian release that debootstrap makes: the toolchain of this machine is
# mounted there, and the folder that git reads Swift packages from, if it is told one (url.FOLDER.insteadOf).
# shellcheck shell=bash

swift=$(realpath "$(command -v swift)") toolchain=${swift%/usr/bin/*}
packages=$(git config --get-regexp 'url\..*\.insteadof' | sed -nE 's#^url\.(file://)?(/[^ ]*)\.insteadof .*#\2#p' | head -n 1)
# The folder of the toolchain in PATH; of no meaning in a chroot without it.
tools=$toolchain/usr/bin:

# make_chroot ROOT RELEASE [with-toolchain]: makes a chroot, or uses one again, with its mounts and how this machine
# reaches the network. Ends with 69 where that fails.
make_chroot() {
    local root=$1 release=$2
    command -v debootstrap >/dev/null || apt-get install -y -q --no-install-recommends debootstrap >/dev/null
    if [ ! -e "$root/etc/debian_version" ]; then
        mkdir -p "$root"
        debootstrap --variant=minbase "$release" "$root" ${MIRROR:+"$MIRROR"} >"$root.debootstrap.log" 2>&1 ||
            { tail -n 5 "$root.debootstrap.log" >&2; exit 69; }
    fi
    if [ "${3:-}" = with-toolchain ]; then
        for folder in "$toolchain" $packages; do
            mkdir -p "$root$folder"
            mount --bind -o ro "$folder" "$root$folder"
        done
        cp /etc/gitconfig "$root/etc/" 2>/dev/null || true
        git config --global --list >/dev/null 2>&1 && cp ~/.gitconfig "$root/root/" 2>/dev/null || true
    fi
    for folder in /dev /proc /sys; do mount --rbind "$folder" "$root$folder"; done
    cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
    find /etc/apt/apt.conf.d -type f -exec grep -qE 'Proxy|CaInfo' {} \; -exec cp {} "$root/etc/apt/apt.conf.d/" \;
    for certificates in ${SSL_CERT_FILE:-}; do
        mkdir -p "$root$(dirname "$certificates")"
        [ -e "$root$certificates" ] || cp "$certificates" "$root$certificates"
    done
}

# keep_certificates ROOT: again, after the package ca-certificates has written its own ones.
keep_certificates() {
    for certificates in ${SSL_CERT_FILE:-}; do mount --bind -o ro "$certificates" "$1$certificates"; done
}

# inside ROOT COMMAND [NAME=VALUE]...: runs lines there with an environment of their own.
inside() {
    local root=$1 command=$2
    shift 2
    env -i HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}" \
        PATH="$tools/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
        $(env | grep -iE '^(https?_proxy|no_proxy|ssl_cert_[a-z]*|pip_[a-z_]*|git_ssl_[a-z]*)=' || true) "$@" \
        chroot "$root" bash -c "$command"
}
