#!/bin/bash
# Installs axe-core, which checks the page of a gallery for people who do not see or use a pointer, for the tests:
# .build/axe/axe.min.js. It is in the Python package axe-playwright-python (MPL-2.0, as axe-core itself), of which only
# that file is taken.
set -euo pipefail
cd "$(dirname "$0")/.."
package=axe-playwright-python==0.1.8
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip download --quiet --no-deps --dest "$folder" "$package"
mkdir -p .build/axe
python3 - "$folder"/*.whl <<'END'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel, open(".build/axe/axe.min.js", "wb") as file:
    file.write(wheel.read("axe_playwright_python/axe.min.js"))
END
echo .build/axe/axe.min.js
