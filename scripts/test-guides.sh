#!/bin/bash
# Compiles and runs the code blocks of the README and the guides as a reader would: in a separate package that
# depends on this one by path, each document with the imports it shows. Also runs the commands of the README and of the
# guides.
#
# The blocks of a document form one program; a later block may use and shadow declarations of an earlier one.
# HTML comments that begin with "swift:" are compiled in place and not shown: assertions about the result. They define
# nothing, so that what is shown compiles as it is seen.
#
# usage: test-guides.sh [BINARY]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
# The release binary if it is up to date: it is ten times as fast.
binary=.build/debug/lazyimg
release=.build/release/lazyimg
if [ -x $release ] && [ -z "$(find Sources Package.swift -newer $release -print -quit)" ]; then
    binary=$release
fi
binary=$(realpath "${1:-$binary}")
package=$(mktemp -d)
trap 'rm -rf "$package"' EXIT
export XDG_CACHE_HOME=$package/cache XDG_STATE_HOME=$package/state

# Prints the program of one document.
program() {
    awk '
        /^```swift$/ { inside = 1; first = 1; next }
        /^```/ && inside { inside = 0; next }
        /^<!-- swift:$/ { hidden = 1; next }
        /^-->$/ && hidden { hidden = 0; next }
        hidden { body = body "    " $0 "\n"; next }
        inside && /^import / { imports = imports $0 "\n"; next }
        inside {
            # A line of Package.swift.
            if (first && /^\.package\(/) { inside = 0; next }
            if (first) { body = body "    do {\n"; blocks++; first = 0 }
            body = body "    " $0 "\n"
        }
        END {
            if (!blocks) exit
            printf "%s\n@MainActor public func run() async throws {\n%s", imports, body
            for (k = 0; k < blocks; k++) printf "    }\n"
            print "}"
        }' "$1"
}

# Prints what comments of a document define for the blocks that follow.
hidden() {
    awk -v document="$1" '
        /^<!-- swift:$/ { hidden = 1; next }
        /^-->$/ { hidden = 0 }
        hidden && /^(@[A-Za-z]+ )*(let|var|func|import|struct|final|class|actor|enum|protocol|extension|typealias) / {
            print document ":" FNR ": a hidden comment defines what the reader cannot see: " $0
        }' "$1"
}

targets=() documents=0 blocks=0
defined=$(for document in README.md docs/*.docc/*.md Sources/*/*.docc/*.md; do hidden "$document"; done)
[ -z "$defined" ] || { echo "$defined" >&2; exit 1; }
for document in README.md docs/*.docc/*.md Sources/*/*.docc/*.md; do
    text=$(program "$document")
    [ -n "$text" ] || continue
    name=Guide_$(basename "$document" .md)
    mkdir -p "$package/Sources/$name"
    printf '%s\n' "$text" > "$package/Sources/$name/Guide.swift"
    targets+=("$name")
    documents=$((documents + 1))
    blocks=$((blocks + $(grep -c '^    do {$' <<<"$text")))
done

products='.product(name: "LazyKit", package: "lazyimg"),
            .product(name: "LazyPublishers", package: "lazyimg"),
            .product(name: "LazyTerminal", package: "lazyimg"),
            .product(name: "LazyBatch", package: "lazyimg"),
            .product(name: "LazyGallery", package: "lazyimg"),'
mkdir -p "$package/Sources/Guides"
{
    printf '// swift-tools-version: 6.1\nimport PackageDescription\n\n'
    printf 'let package = Package(name: "Guides", dependencies: [.package(name: "lazyimg", path: "%s", traits: [.defaults, "OpenCombine"])],' \
        "$root"
    printf ' targets: [\n'
    for name in "${targets[@]}"; do
        printf '    .target(name: "%s", dependencies: [%s],\n' "$name" "$products"
        # A snippet may declare what it does not use.
        printf '        swiftSettings: [.unsafeFlags(["-suppress-warnings"])]),\n'
    done
    printf '    .executableTarget(name: "Guides", dependencies: ['
    printf '"%s", ' "${targets[@]}"
    printf ']),\n])\n'
} > "$package/Package.swift"
{
    for name in "${targets[@]}"; do printf 'import %s\n' "$name"; done
    echo
    for name in "${targets[@]}"; do
        printf 'print("--- %s")\ntry await %s.run()\n' "$name" "$name"
    done
} > "$package/Sources/Guides/main.swift"

log=$root/.build/guides.log
mkdir -p "$root/.build"
swift build --quiet --package-path "$package" --scratch-path .build/guides >"$log" 2>&1 || {
    echo "The code of a guide does not compile; the complete log is $log:" >&2
    grep -E 'error:' "$log" | sed "s|$package/Sources/||" | cut -c 1-300 | head -n 20 >&2
    exit 1
}

# As for a reader: in a folder with clips.
mkdir -p "$package/clips/films"
cd "$package/clips"
ln -s "$root/media" media
cp media/clip.mp4 clip.mp4
cp media/clip.mp4 film.mp4
cp media/small.mp4 films/one.mp4
printf '1\n00:00:00,000 --> 00:00:09,000\nHello\n' > words.srt
ffmpeg -v error -i clip.mp4 -i words.srt -map 0:v -map 1 -c copy -metadata:s:s:0 language=eng film.mkv </dev/null
cp media/animation.webp pictures.webp
"$binary" convert media/clip.mp4 -o cat.gif --width 160 --end 1 >/dev/null
"$binary" play cat.gif --frames . --pattern 'frame-%04d.png' >/dev/null
"$binary" poster cat.gif -o logo.png --width 32 >/dev/null
printf 'cat.gif\nclip.mp4\n' > list.txt
"$binary" poster clip.mp4 -o poster.webp --json |
    python3 -c 'import json, sys; json.dump(json.load(sys.stdin)["rendition"], sys.stdout)' > poster.json
# What decodes for the guides is the command line: their program was not asked before its threads.
export LAZYIMG_DECODER=$binary
if ! "$root/.build/guides/debug/Guides" >>"$log" 2>&1; then
    echo "The code of a guide fails; the end of $log:" >&2
    tail -n 8 "$log" | cut -c 1-300 >&2
    exit 1
fi

# The commands that need neither a network nor a terminal nor a window. One that does not end is ended like a service.
commands=0
PATH=$(dirname "$binary"):$PATH
while IFS=: read -r document line; do
    commands=$((commands + 1))
    [[ $line != *--follow* ]] || line="exec timeout --foreground --preserve-status --signal TERM 5 $line"
    if ! bash -c "$line" >"$log.command" 2>&1 </dev/null; then
        echo "A command of $document fails: $line" >&2
        head -n 5 "$log.command" | cut -c 1-300 >&2
        exit 1
    fi
done < <(cd "$root" && awk '/^```console$/ { inside = 1; next } /^```/ { inside = 0 }
    inside && /^\$ / { sub(/^\$ /, ""); sub(/ +# .*/, ""); if (/lazyimg /) print FILENAME ":" $0 }' README.md docs/*.docc/*.md |
    grep -vE 'https?://|addresses\.txt|:lazyimg play clip\.mp4$|:lazyimg view |--leave|--shard auto')
# What the guide for media servers says is there.
for file in films/one.jpg posters/one.png "films/one.trickplay/320 - 10x10/0.jpg" "$XDG_CACHE_HOME"/thumbnails/xx-large/*.png; do
    [ -f "$file" ] || { echo "The commands of a guide did not make $file." >&2; exit 1; }
done
echo "$blocks code blocks of $documents documents and $commands commands compiled and run."
