import Foundation
import HTTPSupport
import Support
import Testing
import ToolSupport

/// Streams whose playlists have rounded or wrong lengths: a picture at a time is that of the whole stream.
@Suite(.ownThreads, .needs("ffmpeg", "ffprobe")) struct StreamLengthTests {
    /// A clip of twenty seconds with keyframes at uneven times, and streams of it.
    private final class Files: Sendable {
        static let shared = Files()
        let scratch = Scratch()

        private init() {
            let keys = "0,1.7,2.4,4.1,5.3,6.8,7.5,9.2,10.3,12.1,13.6,14.2,16.4,17.7,18.9"
            let hls = "-c copy -f hls -hls_time 0.1 -hls_playlist_type vod"
            let commands = [
                """
                -f lavfi -i testsrc2=size=160x90:rate=10:duration=20 -f lavfi \\
                -i sine=frequency=440:duration=20 -c:v libx264 -g 300 -sc_threshold 0 \\
                -force_key_frames \(keys) -pix_fmt yuv420p -c:a aac clip.mp4
                """,
                "-i clip.mp4 -map 0:v \(hls) -hls_segment_filename 'v%d.ts' v.m3u8",
                "-i clip.mp4 \(hls) -hls_segment_filename 's%d.ts' s.m3u8",
                "-i clip.mp4 -map 0:v -output_ts_offset 95440.2 \(hls) -hls_segment_filename 'w%d.ts' w.m3u8",
                """
                -i clip.mp4 -map 0:v -output_ts_offset 1000 \(hls) -hls_segment_type fmp4 \\
                -hls_segment_filename 'f%d.m4s' -hls_fmp4_init_filename f.mp4 f.m3u8
                """,
                """
                -i clip.mp4 -map 0:v -c copy -f dash -seg_duration 0.1 -use_template 1 -use_timeline 1 \\
                -init_seg_name d.mp4 -media_seg_name 'd$Number$.m4s' d.mpd
                """,
            ]
            for command in commands { _ = StreamFiles.ffmpeg(in: scratch, command) }
            for name in ["v", "s", "w", "f"] {
                for lengths in Lengths.allCases { write(name, lengths) }
            }
            write(manifest: scratch.text("d.mpd"))
        }

        /// The playlist with other lengths.
        private func write(_ name: String, _ lengths: Lengths) {
            var number = 0
            let lines = scratch.text("\(name).m3u8").split(separator: "\n").map { line in
                guard line.hasPrefix("#EXTINF:"),
                    let length = Double(line.dropFirst(8).prefix { $0 != "," })
                else { return String(line) }
                number += 1
                return "#EXTINF:\(lengths.text(length, number)),"
            }
            scratch.write(
                Array((lines.joined(separator: "\n") + "\n").utf8), "\(name)-\(lengths).m3u8")
        }

        /// The manifest with one length for all segments in place of the timeline.
        private func write(manifest: String) {
            var lines = manifest.split(separator: "\n").map(String.init)
            lines.removeAll { ["<S ", "SegmentTimeline>"].contains(where: $0.contains) }
            let text = lines.joined(separator: "\n")
                .replacing("</SegmentTemplate>", with: "")
                .replacing("startNumber=\"1\">", with: "startNumber=\"1\" duration=\"1333334\"/>")
                .replacingOccurrences(
                    of: "timescale=\"[0-9]+\"", with: "timescale=\"1000000\"",
                    options: .regularExpression)
            scratch.write(Array(text.utf8), "d-template.mpd")
        }

        func server() throws -> ScriptedServer {
            let scratch = scratch
            return try ScriptedServer { request in
                let bytes = scratch[String(request.path.dropFirst())]
                return bytes.isEmpty ? .answer(404) : .serve(bytes, to: request)
            }
        }
    }

    /// How the lengths of a playlist are wrong.
    enum Lengths: CaseIterable {
        case rounded, up, longer, shorter, mixed

        func text(_ length: Double, _ number: Int) -> String {
            switch self {
            case .rounded: "\(Int(length.rounded()))"
            case .up: "\(Int(length.rounded(.up)))"
            case .longer: "\(length * 1.2)"
            case .shorter: "\(length * 0.8)"
            case .mixed: "\(length * (number.isMultiple(of: 2) ? 1.2 : 0.9))"
            }
        }
    }

    private let files = Files.shared

    private func poster(_ input: String, _ time: String) -> [UInt8] {
        let outcome = Tool.run(["poster", input, "--no-cache", "--at", time, "-o", "-"])
        #expect(outcome.status == 0, "\(input) at \(time): \(outcome.errors)")
        return outcome.output
    }

    private static let times = ["0.05", "1.75", "5.25", "9.15", "13.65", "17.65", "19.95"]
    /// The pictures of the clip at these times.
    private static let posters = times.map { time in
        Tool.run(["poster", Files.shared.scratch.path("clip.mp4"), "--at", time, "-o", "-"]).output
    }

    @Test(arguments: ["v", "w", "f"], Lengths.allCases)
    func `a picture at a time is that of the clip`(name: String, lengths: Lengths) throws {
        let server = try files.server()
        let list = "\(name)-\(lengths).m3u8"
        for (time, own) in zip(Self.times, Self.posters) {
            let isSame = poster(server.url("/\(list)").absoluteString, time) == own
            #expect(isSame, "\(list) at \(time)")
            let isSameFile = poster(files.scratch.path(list), time) == own
            #expect(isSameFile, "\(list) at \(time) in a file")
        }
    }

    @Test(arguments: [Lengths.rounded, .longer])
    func `beside sound it is that of the whole stream`(lengths: Lengths) throws {
        let list = files.scratch.path("s-\(lengths).m3u8")
        let output = Scratch()
        let frames = Tool.run(["frames", list, "-o", output.path("whole")])
        #expect(frames.status == 0, "\(frames.errors)")
        let listed = try #require(
            try JSONSerialization.jsonObject(with: Data(output["whole/frames.json"]))
                as? [String: Any])
        let all = try #require(listed["frames"] as? [[String: Any]])
        for time in Self.times {
            let wanted = try #require(Double(time)) * 1_000_000
            let shown = try #require(
                all.last { ($0["ptsUs"] as? Double ?? 0) <= wanted }?["file"] as? String)
            let isSame = poster(list, time) == poster(output.path("whole/" + shown), "first")
            #expect(isSame, "at \(time): \(shown)")
        }
    }

    @Test func `one length for all segments of a manifest is about theirs`() throws {
        let server = try files.server()
        for name in ["d.mpd", "d-template.mpd"] {
            for time in Self.times {
                let isSame =
                    poster(server.url("/\(name)").absoluteString, time)
                    == poster(files.scratch.path("clip.mp4"), time)
                #expect(isSame, "\(name) at \(time)")
            }
        }
    }

    @Test(arguments: ["v", "f"])
    func `it costs few segments`(name: String) throws {
        for lengths in Lengths.allCases {
            let server = try files.server()
            _ = poster(server.url("/\(name)-\(lengths).m3u8").absoluteString, "15.05")
            let segments = Set(
                server.requests.map(\.path).filter { $0.hasSuffix(".ts") || $0.hasSuffix(".m4s") })
            // That of the playlist, the first one, and those on the way.
            #expect(segments.count <= 4, "\(lengths): \(segments.sorted())")
        }
    }

    @Test(arguments: Lengths.allCases)
    func `the length of all is that of the pictures`(lengths: Lengths) throws {
        let server = try files.server()
        let url = server.url("/v-\(lengths).m3u8").absoluteString
        let info = Tool.run(["info", "--json", "--no-cache", url])
        #expect(info.text.contains("\"durationUs\": 20000000"), "\(info.text)\(info.errors)")
        let segments = Set(server.requests.map(\.path).filter { $0.hasSuffix(".ts") })
        #expect(segments == ["/v0.ts", "/v14.ts"])
        for place in ["50%", "last"] {
            let isSame = poster(url, place) == poster(files.scratch.path("clip.mp4"), place)
            #expect(isSame, "\(place)")
        }
    }

    @Test func `a part behind a discontinuity begins where the one before ends`() throws {
        let lengths: [(String, Int)] = [
            ("v0.ts", 2), ("v1.ts", 1), ("w3.ts", 1), ("w4.ts", 2), ("v5.ts", 1), ("v6.ts", 2),
        ]
        let lines = lengths.enumerated().flatMap { number, part in
            ([2, 4].contains(number) ? ["#EXT-X-DISCONTINUITY"] : [])
                + ["#EXTINF:\(part.1),", part.0]
        }
        files.scratch.write(Array(StreamFiles.playlist(lines).utf8), "runs.m3u8")
        let server = try files.server()
        // 1.7 + 0.7 | 1.2 + 1.5 | 0.7 + 1.7: each segment and when it begins in the clip.
        for (time, own) in [
            ("1.95", "1.95"), ("2.75", "4.45"), ("3.95", "5.65"), ("5.25", "6.95"),
            ("6.95", "8.65"),
        ] {
            let shown = poster(server.url("/runs.m3u8").absoluteString, time)
            let isSame = shown == poster(files.scratch.path("clip.mp4"), own)
            #expect(isSame, "at \(time)")
        }
    }
}
