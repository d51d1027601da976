#!/bin/bash
# Generates every file in media/. Run it on a development machine and commit the results.
#
# Needs ffmpeg (with libx264, libx265, libvpx, libaom, SVT-AV1, libtheora, libwebp), img2webp, jpegtran, cjxl,
# python3 and the DejaVu fonts:
# apt-get install ffmpeg webp libjpeg-turbo-progs libjxl-tools python3 fonts-dejavu-core
set -euo pipefail
cd "$(dirname "$0")/media"
out=${1:-../../media}
mkdir -p "$out"
out=$(realpath "$out")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
font=/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf

ff() { ffmpeg -nostdin -hide_banner -loglevel error -y -fflags +bitexact "$@"; }

# raw SIZE COUNT [options of frames.py]: frames as ffmpeg input in the pixel format rgb24.
raw() {
    local size=$1 count=$2
    shift 2
    python3 frames.py "${size%x*}" "${size#*x}" "$count" "$@"
}
rgb() { echo -f rawvideo -pix_fmt rgb24 -video_size "$1" -framerate "$2" -i -; }
exact=(-fflags +bitexact -flags:v +bitexact -map_metadata -1)
x264=(-c:v libx264 -preset veryslow -threads 1 -x264-params keyint=24:bframes=2:scenecut=0:b-adapt=0)

# The clip: 5 s at 25 frames per second, B-frames, sound, the frame number as text and as a barcode.
raw 640x360 125 | ff $(rgb 640x360 25) -f lavfi -i "sine=frequency=440:beep_factor=2:duration=5" \
    -vf "drawtext=fontfile=$font:text='frame %{n}':fontsize=64:fontcolor=white:borderw=4:x=(w-tw)/2:y=h*0.45,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p" \
    -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv \
    "${x264[@]}" -x264-params keyint=25:bframes=3:scenecut=0 -crf 30 -c:a aac -b:a 24k -ac 1 -flags:a +bitexact \
    "${exact[@]}" -movflags +faststart "$out/clip.mp4"

# The small clip in many containers: 24 frames of 160x96 at 12 frames per second.
raw 160x96 24 | ff $(rgb 160x96 12) "${x264[@]}" -x264-params keyint=8:bframes=2:scenecut=0:b-adapt=0 \
    -crf 22 -pix_fmt yuv420p "${exact[@]}" -movflags +faststart "$out/small.mp4"
copy() { ff -i "$out/small.mp4" -map 0:v -c copy "${exact[@]}" "$@"; }
copy "$out/moov-last.mp4"
copy -movflags frag_keyframe+empty_moov+default_base_moof "$out/fragmented.mp4"
copy "$out/h264.mkv"
copy "$out/h264.mov"
copy -muxdelay 0 "$out/h264.ts"
copy "$out/h264.flv"
# Starts between keyframes: an edit list hides the frames before number 5.
ff -ss 0.45 -i "$out/small.mp4" -c copy "${exact[@]}" "$out/edit-list.mp4"
ff -i "$out/small.mp4" -c copy "${exact[@]}" -encryption_scheme cenc-aes-ctr \
    -encryption_key 00112233445566778899aabbccddeeff -encryption_kid 112233445566778899aabbccddeeff00 \
    "$out/encrypted.mp4"

# Coded as by a rotated camera; the display matrix rotates the frames back.
turned() {
    raw 160x96 24 | ff $(rgb 160x96 12) -vf "$3" "${x264[@]}" -crf 22 -pix_fmt yuv420p "${exact[@]}" "$work/turned.mp4"
    python3 matrix.py "$work/turned.mp4" "$out/$1" "$2"
}
turned rotated-90.mp4 90 transpose=cclock
turned rotated-180.mp4 180 hflip,vflip
turned rotated-270.mp4 270 transpose=clock
turned mirrored.mp4 mirror hflip

# small NAME [ffmpeg output options]: the same frames through another encoder.
small() {
    local name=$1
    shift
    raw 160x96 24 | ff $(rgb 160x96 12) "$@" "${exact[@]}" "$out/$name"
}
vp9=(-c:v libvpx-vp9 -b:v 0 -crf 30 -g 8 -threads 1 -row-mt 0)
small vp8.webm -c:v libvpx -b:v 300k -crf 10 -g 8 -threads 1 -pix_fmt yuv420p
small vp9.webm "${vp9[@]}" -pix_fmt yuv420p
small av1.mp4 -c:v libaom-av1 -b:v 0 -crf 35 -g 8 -cpu-used 4 -threads 1 -pix_fmt yuv420p
# Fast presets refer to the layers below alone: 72 frames, of which most need only a few others.
raw 160x96 72 | SVT_LOG=1 ff $(rgb 160x96 12) -c:v libsvtav1 -preset 8 -crf 45 -g 72 -svtav1-params lp=1 -pix_fmt yuv420p \
    "${exact[@]}" -movflags +faststart "$out/av1-layers.mp4"
small hevc.mp4 -c:v libx265 -crf 26 -x265-params log-level=error:keyint=8:pools=1:frame-threads=1:info=0 -tag:v hvc1 -pix_fmt yuv420p
small hevc-10bit.mp4 -c:v libx265 -crf 26 -x265-params log-level=error:keyint=8:pools=1:frame-threads=1:info=0 -tag:v hvc1 -pix_fmt yuv420p10le
small vp9-10bit.webm "${vp9[@]}" -pix_fmt yuv420p10le
small h264-422.mp4 "${x264[@]}" -crf 22 -pix_fmt yuv422p
small h264-444.mp4 "${x264[@]}" -crf 22 -pix_fmt yuv444p
small h264-full-range.mp4 "${x264[@]}" -crf 22 -vf scale=out_range=pc,format=yuvj420p -color_range pc
small mpeg4.avi -c:v mpeg4 -q:v 5 -g 8 -bf 0
small mjpeg.avi -c:v mjpeg -q:v 8 -pix_fmt yuvj420p
small theora.ogv -c:v libtheora -q:v 7 -g 8
raw 96x64 6 | ff $(rgb 96x64 12) -c:v prores -profile:v 0 -pix_fmt yuv422p10le "${exact[@]}" "$out/prores.mov"
raw 48x32 4 | ff $(rgb 48x32 12) -pix_fmt yuv420p "${exact[@]}" "$out/raw.y4m"

# HDR as containers describe it: 12 frames, of the same levels in PQ and in HLG.
# hdr TRANSFER OUT [encoder options]
hdr() {
    local transfer=$1 out=$2
    shift 2
    raw 160x96 12 | ff $(rgb 160x96 12) -vf "scale=out_color_matrix=bt2020:out_range=tv,format=yuv420p10le,setparams=range=tv:color_primaries=bt2020:color_trc=$transfer:colorspace=bt2020nc" \
        "$@" "${exact[@]}" "$out"
}
hdr smpte2084 "$work/hdr10.mp4" "${vp9[@]}"
python3 hdr.py "$work/hdr10.mp4" "$out/hdr10.mp4" light
ff -i "$out/hdr10.mp4" -c copy "${exact[@]}" "$out/hdr10.webm"
hdr arib-std-b67 "$work/dolby.mp4" -c:v libx265 -crf 26 -tag:v hvc1 \
    -x265-params log-level=error:keyint=8:pools=1:frame-threads=1:info=0:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc
python3 hdr.py "$work/dolby.mp4" "$out/dolby-vision.mp4" dolby

for codec in libvpx libvpx-vp9; do
    name=$([ $codec = libvpx ] && echo vp8 || echo vp9)
    raw 160x96 24 --alpha | ff -f rawvideo -pix_fmt rgba -video_size 160x96 -framerate 12 -i - \
        -c:v $codec -pix_fmt yuva420p -b:v 300k -crf 10 -g 8 -auto-alt-ref 0 -threads 1 \
        "${exact[@]}" "$out/$name-alpha.webm"
done

# Fields: the upper lines of picture n are those of frame n, the lower lines those of frame n + 1.
raw 160x96 13 | ff $(rgb 160x96 12) -vf phase=b,trim=start_frame=1,setpts=PTS-STARTPTS,setfield=tff -c:v libx264 -preset veryslow \
    -threads 1 -x264-params tff=1:keyint=6:bframes=2:scenecut=0:b-adapt=0 -crf 22 -pix_fmt yuv420p "${exact[@]}" -movflags +faststart \
    "$out/interlaced.mp4"

# Odd sizes, non-square pixels, variable frame rates, a black start, a size that changes.
raw 161x91 12 | ff $(rgb 161x91 12) "${vp9[@]}" -pix_fmt yuv420p "${exact[@]}" "$out/odd.webm"
raw 161x91 12 | ff $(rgb 161x91 12) "${x264[@]}" -crf 22 -pix_fmt yuv444p "${exact[@]}" "$out/odd.mp4"
raw 160x192 12 | ff $(rgb 160x192 12) -vf setsar=2/1 "${x264[@]}" -crf 22 -pix_fmt yuv420p "${exact[@]}" "$out/wide-pixels.mp4"
for name in vfr.mp4 vfr.mkv; do
    raw 160x96 24 | ff $(rgb 160x96 12) -vf 'settb=1/1000,setpts=40*N+3*N*N' -fps_mode passthrough \
        -enc_time_base 1/1000 "${x264[@]}" -crf 22 -pix_fmt yuv420p \
        -video_track_timescale 1000 "${exact[@]}" "$out/$name"
done
raw 160x96 48 --black 12 | ff $(rgb 160x96 12) "${x264[@]}" -crf 22 -pix_fmt yuv420p "${exact[@]}" "$out/black-first.mp4"
raw 160x96 8 | ff $(rgb 160x96 12) "${x264[@]}" -crf 22 -pix_fmt yuv420p -muxdelay 0 -f mpegts "${exact[@]}" "$work/1.ts"
raw 96x64 8 --first 8 | ff $(rgb 96x64 12) "${x264[@]}" -crf 22 -pix_fmt yuv420p -muxdelay 0 -output_ts_offset 0.833333 -f mpegts "${exact[@]}" "$work/2.ts"
cat "$work/1.ts" "$work/2.ts" >"$out/size-change.ts"

# Cover art with video, and with sound only.
raw 64x48 1 --first 4000 | ff $(rgb 64x48 1) -frames:v 1 "$work/cover.png"
ff -i "$out/small.mp4" -i "$work/cover.png" -map 0 -map 1 -c copy -disposition:v:1 attached_pic "${exact[@]}" "$out/cover-art.mp4"
ff -f lavfi -i "sine=duration=1" -i "$work/cover.png" -map 0 -map 1 -c:a aac -b:a 16k -c:v copy \
    -disposition:v:0 attached_pic -flags:a +bitexact "${exact[@]}" "$out/cover-art.m4a"

# The video with a tone that rises.
tone="aevalsrc='0.4*sin(2*PI*t*(300+400*t))':d=2:s=48000"
ff -i "$out/small.mp4" -f lavfi -i "$tone" -map 0 -map 1 -c:v copy -c:a aac -b:a 48k -flags:a +bitexact "${exact[@]}" "$out/sound.mp4"
ff -i "$out/vp9.webm" -f lavfi -i "$tone" -map 0 -map 1 -c:v copy -c:a libopus -b:a 24k -flags:a +bitexact "${exact[@]}" "$out/sound.webm"

python3 gifs.py "$out"
python3 stills.py "$out"
python3 scene.py wide "$out/wide-gamut.png"
python3 scene.py hdr "$work/hdr.png"
avifenc -s 4 -j 1 -d 10 -y 444 -r full --cicp 9/16/9 --min 12 --max 20 "$work/hdr.png" "$out/hdr.avif" >/dev/null

# Still images in other formats: frame number 7.
raw 160x96 1 --first 7 | ff $(rgb 160x96 1) "$work/still.png"
still() { ff -i "$work/still.png" -frames:v 1 "${exact[@]}" "$@"; }
still -q:v 3 -pix_fmt yuvj444p "$out/still.jpg"
jpegtran -progressive -outfile "$out/still-progressive.jpg" "$out/still.jpg"
ff -i "$work/still.png" -vf transpose=cclock -q:v 3 -pix_fmt yuvj444p -frames:v 1 "${exact[@]}" "$work/turned.jpg"
python3 stills.py --exif 6 "$work/turned.jpg" "$out/still-orientation-6.jpg"
still -pix_fmt bgr24 "$out/still.bmp"
still -c:v png -pix_fmt rgba "$out/still.ico"
still -compression_algo deflate "$out/still.tiff"
still "$out/still.qoi"
still -pix_fmt gray "$out/still.pgm"
still -c:v libwebp -quality 80 "$out/still.webp"
still -c:v libwebp -lossless 1 "$out/still-lossless.webp"
still -c:v libaom-av1 -still-picture 1 -crf 20 -cpu-used 4 -threads 1 "$out/still.avif"
cjxl "$work/still.png" "$out/still.jxl" -d 1 -e 7 --num_threads 0 2>/dev/null

# Two HEICs: one picture, and a photo as phones write it, whose tiles are turned by `irot`.
hevc() {
    ff -i "$work/still.png" -frames:v 1 -vf "$1" -pix_fmt yuv420p -c:v libx265 \
        -x265-params "log-level=none:keyint=1:qp=18:info=0:pools=none:frame-threads=1" "${exact[@]}" -f hevc "$2"
}
hevc null "$work/still.hevc"
for tile in 0 1 2 3 4 5; do
    hevc "transpose=cclock,pad=128:192,crop=64:64:$((tile % 2 * 64)):$((tile / 2 * 64))" "$work/tile$tile.hevc"
done
hevc "transpose=cclock,scale=48:80" "$work/thumbnail.hevc"
hevc "transpose=cclock,scale=64:64,format=gray" "$work/gain.hevc"
python3 heics.py "$work" "$out"

# Animations in still-image formats: 6 frames of 100 ms.
raw 96x64 6 | ff $(rgb 96x64 10) "$work/%d.png"
raw 96x64 6 | ff $(rgb 96x64 10) -plays 3 -f apng "${exact[@]}" "$out/animation.png"
img2webp -loop 3 -lossless -d 100 "$work"/[1-6].png -o "$out/animation.webp" 2>/dev/null
cjxl "$out/animation.png" "$out/animation.jxl" -d 0 -e 9 --num_threads 0 2>/dev/null
raw 96x64 6 | ff $(rgb 96x64 10) -c:v libaom-av1 -crf 25 -cpu-used 4 -threads 1 -pix_fmt yuv420p "${exact[@]}" "$out/animation.avif"
