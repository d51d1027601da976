import LazyMedia
import Support
import Testing

@testable import LazyVideo

/// When the frames of films are shown whose pictures and sound begin apart, or whose clock restarts, as ffmpeg says it.
@Suite(.ownThreads) struct FilmClockTests {
    /// The containers, with what ffmpeg needs to write them.
    enum Format: String, CaseIterable, Sendable {
        case mp4, fragmented, mkv, webm, ts, avi, mpg

        var codecs: String {
            switch self {
            case .webm:
                "-c:v libvpx -deadline realtime -cpu-used 8 -b:v 200k -g 25 -c:a libopus"
            case .avi: "-c:v mpeg4 -bf 2 -g 25 -c:a mp3"
            case .mpg: "-c:v mpeg2video -bf 2 -g 12 -c:a mp2"
            default: "-c:v libx264 -preset veryfast -bf 2 -g 25 -c:a aac"
            }
        }

        var muxer: String {
            switch self {
            case .mp4: "-f mp4"
            case .fragmented: "-movflags frag_keyframe+empty_moov+default_base_moof -f mp4"
            case .mkv: "-f matroska"
            case .webm: "-f webm"
            case .ts: "-f mpegts"
            case .avi: "-f avi"
            case .mpg: "-f vob"
            }
        }
    }

    private static let pictures = "-f lavfi -i testsrc2=s=96x64:r=25:d=3"
    private static let sound = "-f lavfi -i sine=440:d=3"

    /// What a file is made of, by its name; `-` is the container's part of the command.
    private static let cases: [(name: String, arguments: String)] = [
        ("plain", "\(pictures) \(sound) -"),
        ("soundFirst", "-f lavfi -i sine=440:d=5 -itsoffset 1.8 \(pictures) -map 1:v -map 0:a -"),
        ("videoFirst", "-itsoffset 1.3 \(sound) \(pictures) -map 1:v -map 0:a -"),
        ("late", "\(pictures) \(sound) - -output_ts_offset 100"),
        ("early", "\(pictures) \(sound) - -output_ts_offset -0.5 -avoid_negative_ts disabled"),
        ("silent", "\(pictures) - -output_ts_offset 7"),
        (
            "uneven",
            "\(pictures) \(sound) -vf select='not(mod(n,7))+gt(mod(n,11),5)' -fps_mode vfr -"
        ),
        ("cut", "-ss 1.3 -i plain -c copy"),
        ("trimmed", "-ss 0.7 -i soundFirst -c copy"),
    ]

    private static func run(_ command: String) {
        _ = Peer.output(of: command + " </dev/null 2>/dev/null")
    }

    /// Makes the files of a container, and returns their paths.
    private static func make(_ format: Format, _ scratch: Scratch) -> [String] {
        // Matroska has no negative times: players refuse what ffmpeg writes instead.
        let isEBML = format == .mkv || format == .webm
        return cases.filter { !isEBML || $0.name != "early" }.map { name, arguments in
            let target = scratch.path("\(name).\(format.rawValue)")
            var words: [String] = []
            for word in arguments.split(separator: " ").map(String.init) {
                switch word {
                case "-": words.append(format.codecs)
                case "plain", "soundFirst":
                    words.append(scratch.path("\(word).\(format.rawValue)"))
                default: words.append(word.contains("select=") ? "\"\(word)\"" : word)
                }
            }
            run("ffmpeg -v error -y \(words.joined(separator: " ")) \(format.muxer) \(target)")
            return target
        }
    }

    /// The times of all frames in seconds, as ffmpeg counts them, but for what it has from its decoders.
    private static func peerTimes(_ path: String) -> [Double] {
        frameTimes(path).map { $0 - codecDelay(path) }
    }

    /// How much later ffmpeg shows pictures than the file says.
    ///
    /// It counts from sound before the zero of Matroska, which is discarded (RFC 9559, `CodecDelay`), and has pictures of
    /// an AVI, whose chunks have no times, when the decoder gives them.
    private static func codecDelay(_ path: String) -> Double {
        func values(_ entries: String) -> [Double] {
            let answer = Peer.output(
                of: "ffprobe -v error -show_entries \(entries) -of csv=p=0 \(path)")
            return String(decoding: answer, as: UTF8.self).split(separator: "\n").compactMap {
                Double($0.prefix { $0 != "," })
            }
        }
        if path.hasSuffix(".avi") {
            return (values("stream=has_b_frames").first ?? 0) / 25
        }
        guard path.hasSuffix(".mkv") || path.hasSuffix(".webm") else { return 0 }
        return max(0, -(values("format=start_time").first ?? 0))
    }

    private static func frameTimes(_ path: String) -> [Double] {
        let answer = Peer.output(
            of: "ffmpeg -hide_banner -i \(path) -map 0:v:0 -map '0:a?' -vf showinfo"
                + " -fps_mode passthrough -f null - </dev/null 2>&1")
        return String(decoding: answer, as: UTF8.self).split(separator: "\n").compactMap { line in
            guard let range = line.firstRange(of: "pts_time:") else { return nil }
            return Double(line[range.upperBound...].prefix { $0 != " " })
        }
    }

    /// Compares times with ffmpeg's, in an index, in a sequential read, and in its middle.
    private func check(_ path: String) throws {
        let name = path.split(separator: "/").last ?? ""
        let expected = Self.peerTimes(path)
        try #require(expected.count > 10, "\(name)")
        let media = try opened(FileBytes(path: path))
        let index = try media.frameIndex(CancellationFlag())
        let times = index.timings.map { Double($0.presentation.microseconds) / 1e6 }
        try #require(times.count == expected.count, "\(name)")
        for (own, peer) in zip(times, expected) {
            #expect(abs(own - peer) < 0.0011, "\(name): \(own) and \(peer)")
        }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(name) ascends")
        let reader = try media.makeReader(ReaderOptions())
        let read = try rest(of: reader)
        #expect(read.map(\.timing.presentation) == index.timings.map(\.presentation), "\(name)")
        #expect(media.info.duration == index.duration, "\(name)")
        #expect(media.info.start == index[0].presentation.duration, "\(name)")

        for number in [0, times.count / 2, times.count - 1] {
            let timing = index[number]
            let time = timing.presentation.duration + timing.duration.duration / 2
            try reader.seek(toTime: time)
            let frame = try #require(try reader.nextFrame(), "\(name)")
            #expect(frame.index == number, "\(name) at \(time)")
            #expect(frame.bitmap == read[number].bitmap, "\(name) at \(time)")
        }
        // Before its first picture a film shows that picture.
        try reader.seek(toTime: .zero)
        #expect(try reader.nextFrame()?.index == 0, "\(name)")
    }

    @Test(.needs("ffmpeg"), arguments: Format.allCases)
    func `times count from the first picture or the first sound`(format: Format) throws {
        let scratch = Scratch()
        for path in Self.make(format, scratch) { try check(path) }
    }

    @Test(.needs("ffmpeg"), arguments: [Format.webm, .avi])
    func `copied sound keeps its distance to the pictures`(format: Format) throws {
        let scratch = Scratch()
        let path = try #require(Self.make(format, scratch).first)
        let media = try #require(try opened(FileBytes(path: path)) as? OpenedVideo)
        let sound = try #require(try media.soundTrack(.standard, CancellationFlag()))
        let packet = try #require(try sound.makeReader(CancellationFlag()).next())
        let first = Double(packet.start) / Double(sound.format.sampleRate)
        let picture = try media.frameIndex(CancellationFlag())[0].presentation.duration
        // By the file: a sound that begins 7 ms before the zero, and a picture 7 ms after it; both at once in an AVI.
        let lead = picture / .seconds(1) - first
        #expect(abs(lead - (format == .webm ? 0.014 : 0)) < 0.0011, "\(lead)")
    }

    @Test(.needs("ffmpeg")) func `parts of a file whose clock restarts follow one another`() throws
    {
        let scratch = Scratch()
        for format in [Format.ts, .mpg] {
            for (name, start) in [("a", 0), ("far", 90_000), ("end", 95_442)] {
                Self.run(
                    "ffmpeg -v error -y \(Self.pictures) \(Self.sound) \(format.codecs)"
                        + " -output_ts_offset \(start) \(format.muxer) \(scratch.path(name))")
            }
            Self.run(
                "ffmpeg -v error -y -f lavfi -i sine=440:d=4 -itsoffset 1.4 \(Self.pictures)"
                    + " -map 1:v -map 0:a \(format.codecs) \(format.muxer) \(scratch.path("late"))")
            for parts in [
                ["a", "a"], ["a", "far"], ["far", "a"], ["end", "a"], ["a", "late", "a", "far"],
                ["late", "late"],
            ] {
                let joined = parts.joined(separator: "-")
                scratch.write(parts.flatMap { scratch[$0] }, joined)
                try check(scratch.path(joined))
                let info = try opened(FileBytes(path: scratch.path(joined))).info
                #expect(info.warnings.contains { $0.code == .clockJump }, "\(joined)")
                let length = try #require(info.duration)
                // Each part lasts for 3 s, or 4.4 s with its late pictures.
                #expect(
                    length > .seconds(3 * parts.count - 1) && length < .seconds(20), "\(joined)")
            }
            #expect(try isRead(scratch.path("a-a")) && isRead(scratch.path("a-far")))
            #expect(try !isRead(scratch.path("a")) && !isRead(scratch.path("end")))
            let plain = try opened(FileBytes(path: scratch.path("end"))).info
            #expect(!plain.warnings.contains { $0.code == .clockJump })
        }
    }

    /// Whether samples of the times of a file make us read all of it, as if it were large.
    private func isRead(_ path: String) throws -> Bool {
        let media = try #require(try opened(FileBytes(path: path)) as? OpenedVideo)
        let demuxer = try #require(try media.makeSource(CancellationFlag()) as? Demuxer)
        let survey = try ClockSurvey(demuxer, media.stream, quickBytes: 0)
        return survey?.hasJumped ?? false
    }

    @Test func `a clock without jumps is left as it is`() throws {
        let info = try opened("clip.mp4").info
        #expect(info.start == .zero)
        #expect(info.warnings.isEmpty)
    }
}
