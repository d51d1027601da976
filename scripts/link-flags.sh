#!/bin/bash
# usage: link-flags.sh FOLDER: prints flags of `swift build` that shorten the start of a release build. FOLDER gets
# links to archives. A build without these flags works, too.
set -euo pipefail
folder=$(realpath -m "$1")
# Equal functions, such as those of generic code, are kept once.
flags=(-Xlinker --no-export-dynamic -Xlinker --icf=all)

# libstdc++ and libgcc (of the Swift runtime) as archives: as shared libraries they take a quarter of the time of
# `lazyimg --version`, because their symbols are looked up one by one.
rm -rf "$folder"
mkdir -p "$folder"
for name in libstdc++ libgcc_s; do
    archive=$(clang++ -print-file-name="${name/_s/_eh}.a" 2>/dev/null || true)
    [ -f "$archive" ] && ln -s "$archive" "$folder/$name.a"
done
flags+=(-Xswiftc "-L$folder")

# Relative relocations take 12 kB instead of 1.4 MB. Dynamic loaders before glibc 2.36 do not read them.
glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d' ' -f2)
[ "$(printf '%s\n' 2.36 "${glibc:-0}" | sort -V | head -n 1)" = 2.36 ] &&
    flags+=(-Xlinker -z -Xlinker pack-relative-relocs)

# The index of protocol conformances answers before the run-time library searches: see Sources/C/CTricks/README.md,
# which says why other versions of Swift go without.
swift=$(swiftc --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p')
if [ "$swift" = 6.3 ]; then
    for name in swift_conformsToProtocolWithExecutionContext swift_conformsToProtocol \
        swift_conformsToProtocolCommon; do
        flags+=(-Xlinker "--wrap=$name")
    done
fi

echo "${flags[@]}"
