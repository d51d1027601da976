#!/bin/bash
# Makes the picture of the terminal in the README and its guide: kitty in Xvfb, looked at.
#
# usage: terminal-screens.sh [LAZYIMG]   (default: .build/release/lazyimg)
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
lazyimg=$(realpath "${1:-.build/release/lazyimg}")
folder=$(mktemp -d)
export lazyimg root HOME=$folder XDG_RUNTIME_DIR=$folder LC_ALL=C.UTF-8
export LIBGL_ALWAYS_SOFTWARE=1 KITTY_DISABLE_WAYLAND=1
unset TMUX WAYLAND_DISPLAY COLORTERM NO_COLOR LAZYIMG_PROTOCOL KITTY_WINDOW_ID
cd "$folder"
mkfifo display
timeout 120 Xvfb -displayfd 3 -screen 0 1000x700x24 +extension GLX -nolisten tcp 3<>display 2>log &
screen=$!
trap 'kill $window $screen; rm -r "$folder"' EXIT
read -r number <display
export DISPLAY=:$number
timeout 120 kitty --config NONE -o linux_display_server=x11 -o initial_window_width=80c \
    -o initial_window_height=24c -o remember_window_size=no -o update_check_interval=0 \
    -o background=#101418 sh -c 'cd "$root/media"
        exec "$lazyimg" play --grid 3x2 clip.mp4 counter.gif wide-gamut.png hevc.mp4 mirrored.mp4 wide-pixels.mp4' \
    >log 2>&1 &
window=$!

shot() { import -window root -crop 720x432+0+0 +repage "$1"; }
# All pictures are there when there are many colors, and none moves when two screens are the same.
until shot one.png && [ "$(identify -format %k one.png)" -gt 10000 ]; do kill -0 $window; done
xdotool mousemove 60 150 key space
until cp one.png two.png && shot one.png && cmp -s <(convert one.png rgb:-) <(convert two.png rgb:-); do
    kill -0 $window
done
convert one.png +dither -colors 224 -strip "PNG8:$root/Sources/LazyTerminal/LazyTerminal.docc/Resources/terminal-grid.png"
