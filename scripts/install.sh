#!/bin/bash
# usage: install.sh BINARY PREFIX: installs the binary, its manual page, completions and the thumbnailer entry.
set -euo pipefail
binary=$1 prefix=$2
cd "$(dirname "$0")/.."
put() { install -D -m "$1" "$2" "$prefix/$3" && echo "$prefix/$3"; }
put 755 "$binary" bin/lazyimg
# Two thirds of the file are for debuggers. Without binutils they stay.
! command -v strip >/dev/null || strip --strip-unneeded "$prefix/bin/lazyimg"
# The program that isolated decoders are forked from is the same one under another name.
install -d "$prefix/libexec/lazyimg"
ln -sfn ../../bin/lazyimg "$prefix/libexec/lazyimg/lazyimg-decoder"
put 644 man/lazyimg.1 share/man/man1/lazyimg.1
put 644 share/thumbnailers/lazyimg.thumbnailer share/thumbnailers/lazyimg.thumbnailer
completion=$(mktemp)
trap 'rm -f "$completion"' EXIT
while read -r shell path; do
    "$binary" --generate-completion-script "$shell" >"$completion"
    put 644 "$completion" "$path"
done <<'END'
bash share/bash-completion/completions/lazyimg
zsh share/zsh/site-functions/_lazyimg
fish share/fish/vendor_completions.d/lazyimg.fish
END
