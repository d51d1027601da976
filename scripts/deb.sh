#!/bin/bash
# Builds a Debian package of the release binary in .build/deb, and others of the viewer and of the server if they are given,
# since nobody else needs GTK, and nobody else serves; checks them with lintian.
#
# Libraries that the binary links are dependencies, libraries that it loads at run time are recommended.
# dpkg-shlibdeps computes both by the names of the files, so that they match the distribution that the package is built
# on, whatever its packages are called.
#
# usage: deb.sh BINARY [VIEWER [SERVER]]
set -euo pipefail
binary=$(realpath "$1")
viewer=${2:+$(realpath "$2")}
server=${3:+$(realpath "$3")}
cd "$(dirname "$0")/.."
maintainer=${MAINTAINER:-lazyimg contributors <lazyimg@users.noreply.github.com>}
version=$("$binary" --version | sed "s/.* //")
architecture=$(dpkg --print-architecture)
# One commit gives one package, byte for byte. The files of a source archive have its time.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root doc=$work/root/usr/share/doc/lazyimg

scripts/install.sh "$binary" "$root/usr" >/dev/null
shrink() { strip --strip-unneeded --remove-section=.comment --remove-section=.note "$1"; }
shrink "$root/usr/bin/lazyimg"
install -d "$root/usr/share/zsh/vendor-completions" "$doc"
mv "$root/usr/share/zsh/site-functions/_lazyimg" "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"
# The completion is sourced, not run.
sed -i '1{/^#!/d}' "$root/usr/share/bash-completion/completions/lazyimg"
gzip -9n "$root/usr/share/man/man1/lazyimg.1"
install -m 644 README.md SECURITY.md THIRD-PARTY.md "$doc"

# usage: documents NAME DOC CHECKOUTS PACKAGES: the changelog, the licenses of the contents, ours and those of statically linked
# packages, and their notices.
documents() {
    local name=$1 doc=$2 checkouts=$3 packages=$4
    cat >"$work/changelog" <<END
$name ($version) unstable; urgency=medium

  * Release $version; see https://semver.org and CHANGELOG.md of the source.

 -- $maintainer  $(date -uRd "@$SOURCE_DATE_EPOCH")
END
    gzip -9nc "$work/changelog" >"$doc/changelog.gz"
    gzip -9nc CHANGELOG.md >"$doc/CHANGELOG.md.gz"
    {
        cat <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: lazyimg
Comment: The binary contains Swift's run-time library, Dispatch and FoundationEssentials, $packages,
 libstdc++ and libgcc (GPL-3+ with the GCC Runtime Library Exception, by which a
 compiled program is free of its terms). Their notices are in /usr/share/doc/$name/NOTICE.gz, all
 libraries are listed in /usr/share/doc/$name/THIRD-PARTY.md.

Files: *
Copyright: 2026 lazyimg contributors
License: Expat

Files: swift/*
Copyright: 2014-2026 Apple Inc. and the Swift project authors
License: Apache-2.0

License: Expat
END
        sed -n '5,$p' LICENSE | sed 's/^$/./; s/^/ /'
        cat <<'END'

License: Apache-2.0
 On Debian systems, the text of the Apache License, version 2.0, is in /usr/share/common-licenses/Apache-2.0.
 Swift's Runtime Library Exception: as an exception, if you use this Software to compile your source code and
 portions of this Software are embedded into the binary product as a result, you may redistribute such product
 without providing attribution as would otherwise be required by Sections 4(a), 4(b) and 4(d) of the License.
END
    } >"$doc/copyright"
    for notice in "$checkouts"/*/NOTICE.txt; do
        [ -f "$notice" ] || continue
        printf '==== %s ====\n\n' "$(basename "$(dirname "$notice")")"
        cat "$notice"
    done | gzip -9n >"$doc/NOTICE.gz"
}
checkouts=$(dirname "$binary")/../../checkouts
[ -d "$checkouts" ] || checkouts=.build/checkouts
documents lazyimg "$doc" "$checkouts" "swift-argument-parser
 (all Apache-2.0 with the Runtime Library Exception), swift-log, swift-metrics, swift-distributed-tracing and
 swift-service-context (Apache-2.0)"

# usage: loaded BINARY: the names of the libraries that it opens: those with a version that it has as text, without those
# that it links.
loaded() {
    comm -23 <(strings -a "$1" | grep -xE 'lib[A-Za-z0-9_+-]+\.so\.[0-9.]+' | LC_ALL=C sort -u) \
        <(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | LC_ALL=C sort -u) | grep -v '^libc\.'
}
# usage: stub NAME LIBRARY...: makes a program that links libraries of this machine, for dpkg-shlibdeps.
stub() {
    local name=$1 library path paths=()
    shift
    for library; do
        path=$(PATH=$PATH:/usr/sbin:/sbin ldconfig -p | awk -v name="$library" '$1 == name { print $NF; exit }')
        [ -n "$path" ] || { echo "$library, which lazyimg loads, is not on this machine: which package has it?" >&2; exit 69; }
        paths+=("$path")
    done
    echo 'int main(void) { return 0; }' | cc -x c -Wl,--no-as-needed,--allow-shlib-undefined -o "$work/$name" - \
        -x none "${paths[@]}"
}
mapfile -t libraries < <(loaded "$binary")
# Only asked whether the network is metered.
mapfile -t suggested < <(printf '%s\n' "${libraries[@]}" | grep '^libsystemd\.')
mapfile -t recommended < <(printf '%s\n' "${libraries[@]}" | grep -v '^libsystemd\.')
stub recommended "${recommended[@]}"
stub suggested "${suggested[@]}"
mkdir "$work/debian"
printf 'Source: lazyimg\n\nPackage: lazyimg\nArchitecture: any\n' >"$work/debian/control"
# usage: shlibs ARGUMENT... of dpkg-shlibdeps: sets what `field` reads.
shlibs() {
    dependencies=$(cd "$work" && dpkg-shlibdeps -O "$@" 2>"$work/shlibdeps.log") ||
        { cat "$work/shlibdeps.log" >&2; exit 1; }
}
field() { sed -n "s/^shlibs:$1=//p" <<<"$dependencies"; }
# The dependencies of a binary. dpkg-shlibdeps does not know that packed relative relocations need the loader of
# glibc 2.36.
depends() {
    if readelf -d "$1" | grep -q '(RELR)'; then
        field Depends | sed -E 's/libc6 \(>= 2\.(3[0-5]|[12]?[0-9])\)/libc6 (>= 2.36)/'
    else
        field Depends
    fi
}
# usage: build ROOT NAME: the package of a folder with its DEBIAN/control.
build() {
    (cd "$1" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    chmod -R u=rwX,go=rX "$1"
    mkdir -p .build/deb
    local package=.build/deb/$2_${version}_$architecture.deb
    dpkg-deb --root-owner-group -Zxz --build "$1" "$package" >/dev/null
    lintian --allow-root --fail-on error,warning "$package"
    echo "$package"
}
shlibs -dDepends -eroot/usr/bin/lazyimg -dRecommends -erecommended -dSuggests -esuggested

mkdir -p "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: lazyimg
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -k -s --apparent-size "$root/usr" | cut -f 1)
Depends: $(depends "$root/usr/bin/lazyimg")
Recommends: $(field Recommends), ca-certificates
Suggests: $(field Suggests)
Section: graphics
Priority: optional
Description: animated images and silent video as frames, posters and previews
 lazyimg reads GIF, APNG, WebP, AVIF, MP4, WebM and still images as one kind of
 input. It plays them in a terminal, writes exact frames, posters, animated
 thumbnails, sprite sheets and conversions, and loads URLs through a cache that
 follows the rules of HTTP.
 .
 Video needs FFmpeg's libraries, AVIF libavif, JPEG XL libjxl, TIFF libtiff and
 URLs libcurl; they are recommended packages and are loaded only when they are
 needed.
END
build "$root" lazyimg

# usage: server_package: the server, its unit, and what else is deployed with it. It decodes itself, so that it needs no other package.
server_package() {
    local root=$work/server doc=$work/server/usr/share/doc/lazyimg-server
    install -D -m 755 "$server" "$root/usr/bin/lazyimg-server"
    shrink "$root/usr/bin/lazyimg-server"
    # Debian 12 looks for units there, Debian 13 has made both folders one.
    install -D -m 644 Server/deploy/lazyimg-server.service -t "$root/usr/lib/systemd/system"
    install -d "$doc/examples" "$root/DEBIAN" "$root/usr/share/man/man1"
    install -m 644 SECURITY.md THIRD-PARTY.md Server/README.md Server/docs/signing.md "$doc"
    install -m 644 Server/deploy/nginx.conf Server/deploy/kubernetes.yaml "$doc/examples"
    {
        printf '.TH LAZYIMG-SERVER 1 "" "lazyimg %s"\n.SH NAME\n' "$version"
        printf 'lazyimg-server \\- posters, previews and sheets of media over HTTP\n.SH SYNOPSIS\n.nf\n'
        "$server" --help | sed -n '1,/^$/s/^\(usage: \|       \)//p' | sed 's/-/\\-/g'
        printf '.fi\n.SH DESCRIPTION\n'
        "$server" --help | sed '1,/^$/d' | sed '/^  --/,$d' | sed 's/-/\\-/g'
        printf '.SH OPTIONS\n'
        "$server" --help | sed -n '/^  --/,$p' | sed 's/-/\\-/g; s/^  \(\\-\)/.TP\n.B \1/; s/^      //'
        printf '.SH SEE ALSO\n/usr/share/doc/lazyimg\\-server/README.md\n'
    } | gzip -9n >"$root/usr/share/man/man1/lazyimg-server.1.gz"
    documents lazyimg-server "$doc" "$(dirname "$server")/../../checkouts" "swift-nio and its
 companions, hummingbird, async-http-client, swift-service-lifecycle, swift-configuration, swift-crypto, swift-certificates,
 swift-asn1, swift-log, swift-metrics, swift-distributed-tracing, swift-algorithms, swift-collections, swift-atomics (all
 Apache-2.0)"
    shlibs -eserver/usr/bin/lazyimg-server -dRecommends -erecommended
    cat >"$root/DEBIAN/control" <<END
Package: lazyimg-server
Source: lazyimg
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -k -s --apparent-size "$root/usr" | cut -f 1)
Depends: $(depends "$root/usr/bin/lazyimg-server")
Recommends: $(field Recommends), ca-certificates
Suggests: nginx
Section: web
Priority: optional
Description: posters and previews of media over HTTP
 lazyimg-server makes posters, animated previews, sprite sheets and conversions
 of pictures and films, which a URL names. Its URLs are those of imgproxy, with
 signatures and presets; sources are files, addresses and buckets of S3.
 .
 Video needs FFmpeg's libraries, AVIF libavif, JPEG XL libjxl, TIFF libtiff and
 URLs libcurl; they are recommended packages and are loaded only when they are
 needed.
END
    build "$root" lazyimg-server
}
[ -z "$server" ] || server_package
[ -n "$viewer" ] || exit 0

# The documents of both packages are the same.
root=$work/view
install -D -m 755 "$viewer" "$root/usr/bin/lazyimg-view"
shrink "$root/usr/bin/lazyimg-view"
install -D -m 644 share/applications/io.github.lazyimg.View.desktop -t "$root/usr/share/applications"
install -D -m 644 man/lazyimg-view.1 -t "$root/usr/share/man/man1"
gzip -9n "$root/usr/share/man/man1/lazyimg-view.1"
install -d "$root/usr/share/doc" "$root/DEBIAN"
ln -s lazyimg "$root/usr/share/doc/lazyimg-view"
shlibs -eview/usr/bin/lazyimg-view
cat >"$root/DEBIAN/control" <<END
Package: lazyimg-view
Source: lazyimg
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -k -s --apparent-size "$root/usr" | cut -f 1)
Depends: lazyimg (= $version), $(depends "$root/usr/bin/lazyimg-view")
Recommends: adwaita-icon-theme
Section: graphics
Priority: optional
Description: viewer of images, animations and silent video
 lazyimg-view shows media in a window of GTK 4: a grid of folders, and a viewer
 that plays, steps frame by frame, seeks with previews, zooms and saves frames.
 It is what the command lazyimg view opens.
END
build "$root" lazyimg-view
