#!/bin/bash
# usage: run.sh SECONDS [TARGET]…
#
# Runs libFuzzer with AddressSanitizer over the targets (all when none is named), each for SECONDS.
# Corpus and findings stay in .build/fuzz; a finding ends the run with its path.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:?usage: run.sh SECONDS [target]…}
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(sniff gif png apng jpeg icc webp avif jxl heic tiff bmp ico video playlist answers requests)
build=.build/fuzz

swift build --quiet --package-path fuzz --scratch-path $build -c release --sanitize=address \
    -Xswiftc -sanitize=fuzzer -Xcc -fsanitize=fuzzer-no-link -Xswiftc -use-ld=lld

for target in "${targets[@]}"; do
    corpus=$build/corpus/$target
    mkdir -p "$corpus" "$build/findings"
    case $target in
        sniff) seeds=(media/*.*) ;;
        gif) seeds=(media/*.gif) ;;
        png) seeds=(media/still*.png) ;;
        apng) seeds=(media/animation.png) ;;
        avif) seeds=(media/*.avif) ;;
        heic) seeds=(media/*.heic) ;;
        jxl) seeds=(media/*.jxl) ;;
        tiff) seeds=(media/*.tiff) ;;
        bmp) seeds=(media/*.bmp) ;;
        ico) seeds=(media/*.ico) ;;
        jpeg) seeds=(media/still*.jpg) ;;
        icc) seeds=(); fuzz/profiles.py "$corpus" ;;
        webp) seeds=(media/*.webp) ;;
        playlist) seeds=(); fuzz/playlists.py "$corpus" "$build/playlist.dict" ;;
        answers | requests) seeds=(); $build/release/lazyfuzz "$target" --sample >"$corpus/sample" ;;
        video) seeds=(media/*.{mp4,mov,mkv,webm,ts,avi,ogv,flv,y4m,m4a}) ;;
        *) echo "There is no target $target." >&2; exit 64 ;;
    esac
    for seed in "${seeds[@]}"; do
        size=$(stat -c %s "$seed")
        [ "$size" -gt 50000 ] || cp -n "$seed" "$corpus/"
    done
    echo "$target: $seconds s, $(ls "$corpus" | wc -l) inputs to begin with"
    dictionary=()
    [ "$target" != playlist ] || dictionary=(-dict="$build/playlist.dict")
    # FFmpeg asks for tables as long as a header says, and touches only what is read: what counts is
    # the memory in use.
    # Leaks of FFmpeg on damaged input are FFmpeg's; ours are found by make leaks.
    ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0 $build/release/lazyfuzz "$target" \
        -max_total_time="$seconds" -timeout=25 -max_len=65536 "${dictionary[@]}" \
        -rss_limit_mb=1024 -malloc_limit_mb=4096 \
        -artifact_prefix=$build/findings/"$target"- -print_final_stats=1 -print_funcs=0 -verbosity=0 "$corpus"
done
