#!/bin/bash
# Installs what make bench-server compares with, from PyPI: thumbor and libvips into .build/peers, and clients of imgproxy into
# .build/clients, for the newest Python here; those that need a newer one are left out.
#
# Does nothing where they are installed. Where PyPI cannot be reached it says so, and nothing is compared.
set -euo pipefail
cd "$(dirname "$0")/.."
peers=(thumbor==7.8.0 pyvips==3.2.0 pyvips-binary==8.18.7)
clients=(imgproxy==1.0.0 pyimgproxy==0.4 mkimgproxy==0.4 imgproxy-python==0.0.2)
# These need Python 3.12.
newer=(imgproxykit==0.4.0 django-imgproxy==0.2.0)
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# usage: install PYTHON FOLDER PACKAGE...: status 1 where that fails; then the folder stays as it was.
install() {
    local python=$1 folder=.build/$2 stamp=.build/$2/installed
    shift 2
    [ "$(cat "$stamp" 2>/dev/null)" != "$python $*" ] || return 0
    rm -rf "$folder.new"
    if ! timeout 300 "$python" -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 15 \
        --target "$folder.new" "$@" >"$log" 2>&1; then
        rm -rf "$folder.new"
        echo "$* cannot be installed from PyPI: $(tail -n 1 "$log")"
        return 1
    fi
    echo "$python $*" >"$folder.new/installed"
    rm -rf "$folder"
    mv "$folder.new" "$folder"
    echo "Installed from PyPI: $*"
}

install python3 peers "${peers[@]}" || true
for python in python3.14 python3.13 python3.12; do
    "$python" --version >/dev/null 2>&1 || continue
    install "$python" clients "${clients[@]}" "${newer[@]}" && exit
done
install python3 clients "${clients[@]}" || true
