#!/bin/bash
# Installs axe-core, which checks the page of a gallery for people who do not see or use a pointer, for the tests:
# .build/axe/axe.min.js. It is in the Python package axe-playwright-python (MPL-2.0, as axe-core itself), of which only
# that file is taken.
#
# Does nothing where it is installed. Where PyPI cannot be reached it says so, and the tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
[ ! -s .build/axe/axe.min.js ] || exit 0
package=axe-playwright-python==0.1.8
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ! timeout 60 python3 -m pip download --quiet --disable-pip-version-check --retries 1 --timeout 15 \
    --no-deps --dest "$folder" "$package" >"$folder/log" 2>&1; then
    echo "axe-core cannot be downloaded from PyPI, so its tests are skipped: $(tail -n 1 "$folder/log")"
    exit 0
fi
mkdir -p .build/axe
python3 - "$folder"/*.whl <<'END'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel, open(".build/axe/axe.min.js", "wb") as file:
    file.write(wheel.read("axe_playwright_python/axe.min.js"))
END
echo "Installed from PyPI: $package"
