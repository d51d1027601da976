import Support
import Testing
import ToolSupport

/// Copied sound: the same packets at the same times, as ffmpeg reads them.
@Suite(.ownThreads) struct SoundCopyTests {
    /// A packet as ffmpeg's `framemd5` prints it.
    private struct Packet: Equatable {
        let milliseconds: Int
        let digest: String
    }

    /// A film of three seconds whose tone rises.
    private static func film(_ name: String, _ codecs: String, in scratch: Scratch) -> String {
        let path = scratch.path(name)
        _ = Peer.output(
            of: "ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=3 -f lavfi -i "
                + "aevalsrc='0.5*sin(2*PI*t*(300+400*t))':d=3:s=44100 -pix_fmt yuv420p \(codecs) \(path) </dev/null"
        )
        return path
    }

    private static func text(of command: String) -> String {
        String(decoding: Peer.output(of: command), as: UTF8.self)
    }

    /// The packets of the sound; `filter` makes those of other containers comparable.
    private static func packets(_ path: String, filter: String = "") -> [Packet] {
        let text = text(
            of: "ffmpeg -v error -i \(path) -map 0:a -c copy \(filter) -f framemd5 - </dev/null")
        let lines = text.split(separator: "\n")
        let base =
            lines.first { $0.hasPrefix("#tb 0:") }
            .map { $0.dropFirst(7).split(separator: "/").compactMap { Double($0) } } ?? []
        guard base.count == 2 else { return [] }
        return lines.filter { !$0.hasPrefix("#") }.compactMap { line in
            let fields = line.split(separator: ",").map { $0.drop { $0 == " " } }
            guard fields.count > 5, let time = Double(fields[2]) else { return nil }
            return Packet(
                milliseconds: Int((time * base[0] / base[1] * 1000).rounded()),
                digest: String(fields[5]))
        }
    }

    private static let adts = "-bsf:a aac_adtstoasc"

    /// Sources with their codecs, what makes their packets comparable, and targets.
    private static let copies: [(String, String, String, String)] = [
        ("aac.mp4", "-c:v libx264 -c:a aac", "", "mp4"),
        ("aac.ts", "-c:v libx264 -c:a aac", adts, "mp4"),
        ("aac.mkv", "-c:v libx264 -c:a aac", "", "mp4"),
        ("mp3.mp4", "-c:v libx264 -c:a libmp3lame", "", "mp4"),
        ("ac3.mp4", "-c:v libx264 -c:a ac3", "", "mp4"),
        ("flac.mkv", "-c:v libx264 -c:a flac", "", "mp4"),
        ("alac.mov", "-c:v libx264 -c:a alac", "", "mp4"),
        ("opus.webm", "-c:v libvpx -c:a libopus", "", "webm"),
        ("opus.webm", "-c:v libvpx -c:a libopus", "", "mp4"),
        ("opus.mp4", "-c:v libx264 -c:a libopus", "", "webm"),
        ("vorbis.webm", "-c:v libvpx -c:a libvorbis", "", "webm"),
    ]

    @Test(.needs("ffmpeg"), arguments: copies.indices)
    func `packets are copied with their times`(number: Int) throws {
        let (name, codecs, filter, target) = Self.copies[number]
        let scratch = Scratch()
        let source = Self.film(name, codecs, in: scratch)
        let output = scratch.path("copy.\(target)")
        let said = Tool.run(["convert", source, output, "--audio", "copy", "--force", "--json"])
        try #require(said.status == 0, "\(said.errors)")
        #expect(!said.text.contains("soundDropped"))
        #expect(said.text.contains("\"sound\": \"\(name.prefix { $0 != "." })\""))

        let copied = Self.packets(output)
        let wanted = Self.packets(source, filter: filter)
        #expect(copied.count > 20)
        // What lies wholly before the first frame or after the last one is left out.
        let first = try #require(wanted.firstIndex { $0.digest == copied.first?.digest })
        #expect(first <= 1)
        #expect(wanted.count - first - copied.count <= 2)
        let (delay, wantedDelay) = (Self.delay(output), Self.delay(source))
        for (copy, original) in zip(copied, wanted[first...]) {
            #expect(copy.digest == original.digest)
            // After the first frame.
            let times = (copy.milliseconds - delay, original.milliseconds - wantedDelay)
            #expect(abs(times.0 - times.1) <= 2)
        }
    }

    /// When the first frame is shown after what begins first, in milliseconds.
    ///
    /// ffmpeg prints times from there; a transport stream begins with the sound.
    private static func delay(_ path: String) -> Int {
        let text = text(
            of:
                "ffprobe -v error -select_streams v -show_entries stream=start_time:format=start_time -of csv=p=0 \(path)"
        )
        let times = text.split(whereSeparator: \.isNewline).compactMap {
            Double($0.prefix { $0 != "," })
        }
        // The stream's, for a transport stream twice, and then the file's.
        guard times.count > 1, let first = times.first, let last = times.last else { return 9999 }
        return Int(((first - last) * 1000).rounded())
    }

    @Test(.needs("ffmpeg"))
    func `the sound of a part begins with its first frame`() throws {
        let scratch = Scratch()
        let source = Self.film("a.mp4", "-c:v libx264 -c:a aac -b:a 192k", in: scratch)
        let output = scratch.path("part.mp4")
        let said = Tool.run([
            "convert", source, output, "--start", "0.7", "--duration", "1.2", "--audio", "copy",
        ])
        try #require(said.status == 0, "\(said.errors)")
        let whole = Self.samples(source)
        let part = Self.samples(output)
        #expect(abs(part.count - 52_920) <= 1024)
        // The first packet's overlap is not complete; then it is the same sound.
        let start = 30_870
        let differences = (2048..<40_000).map {
            abs(Int(part[$0]) - Int(whole[start + $0]))
        }
        #expect((differences.max() ?? .max) <= 2)
    }

    @Test(
        .needs("ffmpeg"),
        arguments: [
            ("-c:v libx264 -c:a aac", "mp4"), ("-c:v libx264 -c:a libopus", "mp4"),
            ("-c:v libvpx -c:a libopus", "webm"),
        ])
    func `a song with one picture is heard to its end`(codecs: String, target: String) throws {
        let scratch = Scratch()
        let source = scratch.path("song.\(target)")
        _ = Peer.output(
            of: "ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=0.04 "
                + "-f lavfi -i sine=d=4:r=48000 -pix_fmt yuv420p \(codecs) \(source) </dev/null")
        let wanted = Self.samples(source).count
        #expect(wanted > 170_000)
        let whole = scratch.path("whole.\(target)")
        let rest = scratch.path("rest.\(target)")
        let cut = scratch.path("cut.\(target)")
        for (output, options) in [
            (whole, []), (rest, ["--start", "0"]), (cut, ["--end", "0.04"]),
        ] {
            let said = Tool.run(
                ["convert", source, output, "--audio", "copy", "--force"] + options)
            try #require(said.status == 0, "\(said.errors)")
        }
        for output in [whole, rest] {
            #expect(abs(Self.samples(output).count - wanted) <= 1024)
            #expect(abs(Self.length(output) - 4) < 0.05)
            #expect(Self.packets(output).map(\.digest) == Self.packets(source).map(\.digest))
        }
        #expect(Self.length(cut) < 0.1)
    }

    /// The length of a file in seconds, as its container states it.
    private static func length(_ path: String) -> Double {
        let text = text(of: "ffprobe -v error -show_entries format=duration -of csv=p=0 \(path)")
        return Double(text.prefix { !$0.isNewline }) ?? .infinity
    }

    /// The decoded sound, 16 bits, one channel, at 44.1 kHz.
    private static func samples(_ path: String) -> [Int16] {
        let bytes = Peer.output(
            of: "ffmpeg -v error -i \(path) -f s16le -ac 1 -ar 44100 - </dev/null")
        return bytes.withUnsafeBytes { raw in
            (0..<(raw.count / 2)).map {
                raw.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self)
            }
        }
    }

    @Test(
        .needs("ffmpeg"),
        arguments: [
            ("aac.mp4", "-c:v libx264 -c:a aac", ["-f", "webm"], "WebM takes the sound opus"),
            ("vorbis.webm", "-c:v libvpx -c:a libvorbis", ["-f", "mp4"], "WebM does"),
            ("pcm.mov", "-c:v libx264 -c:a pcm_s16le", ["-f", "mp4"], "pcm_s16le"),
            ("aac.mp4", "-c:v libx264 -c:a aac", ["-f", "gif"], "MP4 and WebM"),
            ("aac.mp4", "-c:v libx264 -c:a aac", ["-f", "mp4", "--speed", "2"], "own speed"),
            ("aac.mp4", "-c:v libx264 -c:a aac", ["-f", "mp4", "--reverse"], "own speed"),
        ] as [(String, String, [String], String)])
    func `sound that cannot be copied is an error and nothing is written`(
        name: String, codecs: String, options: [String], words: String
    ) {
        let scratch = Scratch()
        let source = Self.film(name, codecs, in: scratch)
        let output = scratch.path("copy")
        let said = Tool.run(["convert", source, "-o", output, "--audio", "copy"] + options)
        #expect(said.status == (options.contains("gif") ? 64 : 65))
        #expect(said.errors.contains(words))
        #expect(said.errors.split(separator: "\n").count <= 2)
        #expect(scratch.names() == [name])
    }

    @Test func `that a film has no sound to copy is said`() {
        let scratch = Scratch()
        let said = Tool.run([
            "convert", Media.path("small.mp4"), scratch.path("a.mp4"), "--audio", "copy", "--force",
        ])
        #expect(said.status == 0)
        #expect(said.errors.contains("There is no sound to copy."))
    }
}
