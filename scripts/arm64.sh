#!/bin/bash
# Compiles the C targets for arm64 without a warning, runs their kernels (Tests/Kernels) in an emulator, and compares the
# results with those of this machine byte for byte. Compilers: GCC, and clang, which comes with Swift. Headers are those
# of Debian's arm64 packages, which are unpacked in FOLDER and not installed.
#
# usage: arm64.sh [FOLDER]
set -euo pipefail
folder=$(realpath -m "${1:-.build/arm64}")
cd "$(dirname "$0")/.."
scripts/install-packages.sh --arm64
target=aarch64-linux-gnu
root=$folder/root

# apt with lists of its own, for a machine without any package.
apt() {
    "apt-$1" -q -o Dir::State="$folder/state" -o Dir::State::status=/dev/null -o Dir::Cache="$folder/cache" \
        -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Sandbox::User=root "${@:2}"
}
# The packages with headers and those that they need, and the libraries that the kernels call.
fetch() {
    rm -rf "$folder"
    mkdir -p "$folder"/{state/lists/partial,cache/archives/partial,packages}
    apt get update >"$folder/apt.log" 2>&1
    local names
    # The C library is the cross compiler's.
    mapfile -t names < <(scripts/install-packages.sh --list | grep -E -- '-dev$' | xargs -d '\n' \
        apt-cache -o Dir::State="$folder/state" -o Dir::State::status=/dev/null -o Dir::Cache="$folder/cache" \
        -o APT::Architecture=arm64 -o APT::Architectures::=arm64 depends --recurse --important |
        grep -E '^[a-z].*-dev$|^libisal[0-9]|^zlib1g$' | grep -vE '^(libc6|linux-libc|libcrypt|lib(std|gcc).*)-dev$' | sort -u)
    (cd "$folder/packages" && apt get download "${names[@]}") >>"$folder/apt.log" 2>&1
    for package in "$folder"/packages/*.deb; do dpkg-deb -x "$package" "$root"; done
    touch "$folder/complete"
}
if [ ! -e "$folder/complete" ]; then
    echo "Fetching Debian's headers for arm64."
    fetch || { tail -n 5 "$folder/apt.log" >&2; echo "The arm64 packages cannot be fetched." >&2; exit 69; }
fi

work=$folder/work
rm -rf "$work"
mkdir -p "$work"
status=0
includes=(-I Sources/C/CLibrary/include -I Sources/C/CTricks/include)
own=(-isystem "$root/usr/include" -isystem "$root/usr/include/$target")
# GCC has no words for pointers that may be null.
gcc_flags=(-D_Nonnull= -D_Nullable=)
clang_flags=(-Wno-nullability-extension -Wno-nullability-completeness -Wno-gnu -Wno-psabi)
cross() {
    case $1 in
        gcc) $target-gcc "${gcc_flags[@]}" "${@:2}" ;;
        clang) clang --target=$target "${clang_flags[@]}" "${@:2}" ;;
    esac
}
native() {
    case $1 in
        gcc) gcc "${gcc_flags[@]}" "${@:2}" ;;
        clang) clang "${clang_flags[@]}" "${@:2}" ;;
    esac
}

compile() {
    local compiler=$1 count=0 source module
    for source in Sources/C/*/*.c Sources/C/*/shim.h; do
        module=$(dirname "$source")
        cross "$compiler" -std=gnu11 -O2 -Wall -Wextra -Werror "${own[@]}" -I "$module/include" "${includes[@]}" \
            -x c -c "$source" -o "$work/object.o" || { status=1; echo "$source: does not compile without a warning." >&2; }
        count=$((count + 1))
    done
    echo "$compiler: $count files of Sources/C compiled for arm64."
}

# usage: build native|cross COMPILER OUTPUT FLAGS...
build() {
    local linker=()
    [ "$2" = gcc ] || linker=(-fuse-ld=lld)
    "$1" "$2" -std=gnu11 -O2 "${linker[@]}" "${@:4}" -I Sources/C/CKernels/include \
        Tests/Kernels/kernels.c Sources/C/CKernels/*.c -o "$3-kernels" -lisal -lz -lm
    "$1" "$2" -std=gnu11 -O2 "${linker[@]}" "${@:4}" -I Sources/C/CSandbox Tests/Kernels/filter.c -o "$3-filter"
}
emulate() { qemu-aarch64 -L /usr/$target -E LD_LIBRARY_PATH="$root/usr/lib/$target" "$@"; }
# usage: compare NAME COMMAND...: whether a program prints what that of this machine does.
compare() {
    if "${@:2}" >"$work/$1.txt" && cmp "$work/expected.txt" "$work/$1.txt"; then
        echo "$1: $(wc -l <"$work/$1.txt") results are equal."
    else
        grep FAILED "$work/$1.txt" >&2 || true
        echo "$1: differs." >&2
        status=1
    fi
}
run() {
    local compiler=$1 here=$work/$1-native there=$work/$1-arm64
    build native "$compiler" "$here"
    build cross "$compiler" "$there" "${own[@]}" -L "$root/usr/lib/$target"
    for test in kernels filter; do
        "$here-$test" >"$work/expected.txt" || { cat "$work/expected.txt" >&2; status=1; }
        # A processor of 2008 has neither AVX2 nor instructions for SHA-256.
        [ "$(uname -m)" != x86_64 ] || compare "$compiler-nehalem-$test" qemu-x86_64 -cpu Nehalem "$here-$test"
        compare "$compiler-arm64-$test" emulate "$there-$test"
    done
}

for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    compile $compiler
    run $compiler
done
exit $status
