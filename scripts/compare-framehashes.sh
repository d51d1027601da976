#!/bin/bash
# Compares the lines of framehashes.sh in standard input with those of scripts/framehashes.txt. Differences that
# framehash-differences.txt lists for RELEASE (RELEASE FILE REASON) are printed; others fail.
#
# usage: framehashes.sh BINARY | compare-framehashes.sh RELEASE
set -euo pipefail
release=$1
cd "$(dirname "$0")"
status=0 compared=0
while IFS=' ' read -r digest file; do
    compared=$((compared + 1))
    grep -qxF "$digest  $file" framehashes.txt && continue
    if reason=$(grep -E "^$release +${file//./\\.} " framehash-differences.txt); then
        echo "differs as listed: ${reason#"$release"}"
    else
        echo "$file: other frames than in scripts/framehashes.txt"
        status=1
    fi
done < <(sed 's/  */ /')
missing=$(($(wc -l <framehashes.txt) - compared))
[ $missing = 0 ] || { echo "$missing files of scripts/framehashes.txt were not compared."; status=1; }
[ $status = 0 ] && echo "The frames of $compared files are those of scripts/framehashes.txt."
exit $status
