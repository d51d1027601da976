#!/bin/bash
# usage: make-inputs.sh [DIR]
#
# Generates the inputs of BENCHMARKS.md in DIR (.build/bench): clips and GIFs large enough that decoding and
# encoding dominate, not startup. Needs ffmpeg with libx264, libx265, libvpx and SVT-AV1 (as in Debian) and
# cjxl and vips, and takes some minutes. Existing files are kept.
set -euo pipefail
scripts=$(realpath "$(dirname "$0")/../scripts/media")
folder=${1:-$(dirname "$0")/../.build/bench}
mkdir -p "$folder"
cd "$folder"

make() { # NAME ARGUMENT…
    [ -s "$1" ] && return
    echo "$1"
    SVT_LOG=1 ffmpeg -v error -nostdin -y "${@:2}" "part-$1"
    mv "part-$1" "$1"
}
# A zoom into the Mandelbrot set with a little noise: motion, edges, and no two equal frames.
scene() { echo -f lavfi -i "mandelbrot=size=$1:rate=$2:end_scale=0.02,noise=alls=6:allf=t,format=yuv420p" -t "$3"; }
bt709=(-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv)
x264=(-c:v libx264 -preset medium -crf 23 "${bt709[@]}")

make clip720.mp4 $(scene 1280x720 25 5) "${x264[@]}" -movflags +faststart
make clip720-end.mp4 -i clip720.mp4 -c copy
make clip1080.mp4 $(scene 1920x1080 25 10) "${x264[@]}"
make long720.mp4 -f lavfi -i "mandelbrot=size=1280x720:rate=30:end_scale=0.02,format=yuv420p" -t 60 \
    "${x264[@]}" -preset veryfast -crf 28 -g 250 -keyint_min 250 -sc_threshold 0
make clip480.webm -i clip720.mp4 -vf scale=854:480 -c:v libvpx-vp9 -crf 33 -b:v 0 -cpu-used 5 -row-mt 1
make clip720-hevc.mp4 -i clip720.mp4 -c:v libx265 -preset fast -x265-params log-level=none -tag:v hvc1
make clip720-av1.mp4 -i clip720.mp4 -c:v libsvtav1 -preset 10 -crf 38
make photo480.gif -i clip720.mp4 -vf "fps=16,scale=854:480,split[a][b];[a]palettegen[p];[b][p]paletteuse"
make small180.gif -i clip720.mp4 -vf "fps=12,scale=320:180,split[a][b];[a]palettegen[p];[b][p]paletteuse"
make thousand.gif -f lavfi -i "testsrc2=size=320x240:rate=25" -t 40
make hundred.gif -f lavfi -i "testsrc2=size=320x240:rate=25" -t 4
make flat1080.gif -f lavfi -i "testsrc=size=1920x1080:rate=10" -t 5
make short720.mp4 -i long720.mp4 -c copy -t 6
if [ ! -d pictures ]; then
    echo pictures
    mkdir -p part-pictures
    ffmpeg -v error -nostdin $(scene 800x600 25 40) -q:v 3 part-pictures/%04d.jpg
    mv part-pictures pictures
fi
# A gigabyte that no link compresses.
[ -s big.bin ] || { echo big.bin; head -c 1000000000 /dev/urandom >part-big.bin; mv part-big.bin big.bin; }
# 100 MB with the tables last, for posters over HTTP: nginx with "limit_rate 2500k" is 20 Mbit/s.
make film720.mp4 -f lavfi -i "testsrc2=size=1280x720:rate=30,noise=alls=12:allf=t,format=yuv420p" -t 150 \
    -c:v libx264 -preset ultrafast -b:v 5500k -maxrate 6500k -bufsize 8M -g 250 -bf 2 -x264-params scenecut=0

make long1080.mp4 -f lavfi -i "mandelbrot=size=1920x1080:rate=30:end_scale=0.02,format=yuv420p" -t 60 \
    "${x264[@]}" -preset veryfast -crf 36 -g 250
# A thousand clips of a second each, no two alike.
if [ ! -d shorts ]; then
    echo shorts
    mkdir -p part-shorts
    for second in $(seq 0 24); do
        ffmpeg -v error -nostdin -y -ss "$second" -i long720.mp4 -t 1 "${x264[@]}" -preset ultrafast "part-$second.mp4"
        for copy in $(seq 1 40); do
            ffmpeg -v error -nostdin -i "part-$second.mp4" -c copy -metadata "comment=$copy" \
                "part-shorts/$(printf %02d-%02d "$second" "$copy").mp4"
        done
        rm "part-$second.mp4"
    done
    mv part-shorts shorts
fi
# The same scene in HDR, and without a mapping's work: tagged BT.709.
hdr=(-c:v libx265 -preset fast -pix_fmt yuv420p10le -tag:v hvc1)
tags() { echo "log-level=none:colorprim=$1:transfer=$2:colormatrix=$3"; }
make pq720.mp4 -i clip720.mp4 "${hdr[@]}" -x265-params "$(tags bt2020 smpte2084 bt2020nc)"
make hlg720.mp4 -i clip720.mp4 "${hdr[@]}" -x265-params "$(tags bt2020 arib-std-b67 bt2020nc)"
make ten720.mp4 -i clip720.mp4 "${hdr[@]}" -x265-params "$(tags bt709 bt709 bt709)"
# Two hours with a key frame every two seconds: ten seconds that repeat.
make piece1080.mp4 -i clip1080.mp4 -c:v libx264 -preset veryfast -crf 36 -g 50 "${bt709[@]}"
make piece1080-hdr.mp4 -i clip1080.mp4 "${hdr[@]}" -preset ultrafast -crf 36 -g 50 \
    -x265-params "$(tags bt2020 smpte2084 bt2020nc)"
make story1080.mp4 -stream_loop 719 -i piece1080.mp4 -c copy
make story1080-hdr.mp4 -stream_loop 719 -i piece1080-hdr.mp4 -c copy
# A photo of 12 megapixels with a profile.
if [ ! -s photo.jpg ]; then
    echo photo.jpg
    ffmpeg -v error -nostdin -y -f lavfi -i "mandelbrot=size=4032x3024:end_scale=0.02,noise=alls=4" -frames:v 1 \
        part-photo.png
    vips icc_transform part-photo.png 'part-photo.jpg[Q=90]' p3 --input-profile srgb
    mv part-photo.jpg photo.jpg
    rm part-photo.png
fi
# An animation whose frames are blended rectangles, as cjxl makes it of a GIF.
if [ ! -s animation.jxl ]; then
    echo animation.jxl
    cjxl photo480.gif part-animation.jxl -d 1 -e 4 2>/dev/null
    mv part-animation.jxl animation.jxl
fi
# A photo of 12 megapixels as phones write it: 48 tiles and a thumbnail.
if [ ! -s photo.heic ]; then
    echo photo.heic
    mkdir -p part-photo
    ffmpeg -v error -nostdin -y -f lavfi -i "mandelbrot=size=4096x3072:end_scale=0.02,noise=alls=4" -frames:v 1 part-photo/all.png
    hevc() {
        ffmpeg -v error -nostdin -y -i part-photo/all.png -vf "$1" -pix_fmt yuv420p -c:v libx265 \
            -x265-params "log-level=none:keyint=1:crf=24:info=0" -f hevc "part-photo/$2.hevc"
    }
    for tile in $(seq 0 47); do hevc "crop=512:512:$((tile % 8 * 512)):$((tile / 8 * 512))" "tile$tile"; done
    hevc "crop=4032:3024:0:0,scale=320:240" thumbnail
    python3 "$scripts/heics.py" --large part-photo photo.heic
    rm -r part-photo
fi
