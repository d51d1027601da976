import Glibc
import HTTPSupport
import Support
import ToolSupport

/// A clip of twelve seconds, and the streams that ffmpeg makes of it.
final class StreamFiles: Sendable {
    /// Made once for all tests.
    static let shared = StreamFiles()

    /// The playlists of the clip's own frames.
    static let playlists = [
        "ts.m3u8", "fragments.m3u8", "ranges.m3u8", "fragment-ranges.m3u8", "encrypted.m3u8",
        "timeline.mpd", "numbers.mpd", "list.mpd", "base.mpd",
    ]

    let scratch = Scratch()
    /// The frames of the clip.
    let frames: [UInt8]

    private init() {
        scratch.write((0..<16).map { UInt8($0) }, "secret.key")
        scratch.write(Array("secret.key\nsecret.key\n".utf8), "keys")
        let hls = "-c copy -f hls -hls_time 1 -hls_playlist_type vod"
        let dash = "-map 0:v -c copy -f dash -seg_duration 1"
        let commands = [
            """
            -f lavfi -i testsrc2=size=160x90:rate=10:duration=12 -f lavfi \
            -i sine=frequency=440:duration=12 -c:v libx264 -g 10 -keyint_min 10 -sc_threshold 0 \
            -pix_fmt yuv420p -c:a aac clip.mp4
            """,
            "-i clip.mp4 -vf scale=320:180 -c:v libx264 -g 10 -an large.mp4",
            "-i clip.mp4 \(hls) ts.m3u8",
            "-i large.mp4 \(hls) -hls_segment_filename 'large%d.ts' large.m3u8",
            """
            -i clip.mp4 \(hls) -hls_segment_type fmp4 -hls_segment_filename 'f%03d.m4s' \
            -hls_fmp4_init_filename f.mp4 fragments.m3u8
            """,
            """
            -i large.mp4 \(hls) -hls_segment_type fmp4 -hls_segment_filename 'g%03d.m4s' \
            -hls_fmp4_init_filename g.mp4 other.m3u8
            """,
            "-i clip.mp4 \(hls) -hls_flags single_file ranges.m3u8",
            """
            -i clip.mp4 \(hls) -hls_flags single_file -hls_segment_type fmp4 \
            -hls_segment_filename one.m4s fragment-ranges.m3u8
            """,
            "-i clip.mp4 \(hls) -hls_key_info_file keys -hls_segment_filename 'e%d.ts' encrypted.m3u8",
            "-i clip.mp4 \(dash) -init_seg_name 't$ext$' -media_seg_name 't$Time$.m4s' timeline.mpd",
            """
            -i clip.mp4 \(dash) -use_timeline 0 -init_seg_name 'n.mp4' \
            -media_seg_name 'n$Number%05d$.m4s' numbers.mpd
            """,
            "-i clip.mp4 \(dash) -single_file 1 -single_file_name list.mp4 list.mpd",
            "-i clip.mp4 -map 0:v -c copy -movflags +frag_keyframe+empty_moov+default_base_moof+global_sidx base.mp4",
        ]
        for command in commands { _ = Self.ffmpeg(in: scratch, command) }
        frames = Self.frames(of: scratch.path("clip.mp4"))
        scratch.write(
            Array(
                """
                #EXTM3U
                #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=320x180,CODECS="avc1.64000c"
                large.m3u8
                #EXT-X-STREAM-INF:BANDWIDTH=200000,RESOLUTION=160x90,CODECS="avc1.64000c,mp4a.40.2"
                ts.m3u8
                #EXT-X-STREAM-INF:BANDWIDTH=50000,CODECS="mp4a.40.2"
                sound.m3u8

                """.utf8), "main.m3u8")
        let live = ["#EXTINF:1,", "ts3.ts", "#EXTINF:1,", "ts4.ts", "#EXTINF:1,", "ts5.ts"]
        scratch.write(Array(Self.playlist(live, isEnded: false).utf8), "live.m3u8")
        let index = Self.indexRange(scratch["base.mp4"])
        scratch.write(
            Array(
                """
                <?xml version="1.0"?>
                <MPD type="static" mediaPresentationDuration="PT12S"><Period><AdaptationSet>
                <Representation id="a" mimeType="video/mp4" width="160" height="90" bandwidth="1">
                <BaseURL>base.mp4</BaseURL><SegmentBase indexRange="\(index.lowerBound)-\(index.upperBound - 1)"/>
                </Representation></AdaptationSet></Period></MPD>
                """.utf8), "base.mpd")
    }

    /// Where the index of a file of fragments is.
    private static func indexRange(_ bytes: [UInt8]) -> Range<Int> {
        var offset = 0
        while offset + 8 <= bytes.count {
            let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            if bytes[offset + 4..<offset + 8].elementsEqual("sidx".utf8) {
                return offset..<offset + size
            }
            offset += max(8, size)
        }
        return 0..<1
    }

    static func ffmpeg(in scratch: Scratch, _ arguments: String) -> [UInt8] {
        Peer.output(of: "cd '\(scratch.path)' && ffmpeg -v error -y \(arguments)")
    }

    /// The pixels of all frames of an input.
    static func frames(of input: String, _ options: [String] = []) -> [UInt8] {
        Tool.run(["play", input, "--frames", "-", "--format", "raw"] + options).output
    }

    /// A server of the files.
    func server() throws -> ScriptedServer {
        let scratch = scratch
        return try ScriptedServer { request in
            let bytes = scratch[String(request.path.dropFirst())]
            return bytes.isEmpty ? .answer(404) : .serve(bytes, to: request)
        }
    }

    /// A playlist of segments of ours.
    static func playlist(_ lines: [String], isEnded: Bool = true) -> String {
        (["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:2"] + lines
            + (isEnded ? ["#EXT-X-ENDLIST"] : [])).joined(separator: "\n") + "\n"
    }

    /// A copy of the files of some names, and a playlist beside them.
    func folder(_ names: [String], _ playlist: String) -> Scratch {
        let folder = Scratch()
        for name in names { folder.write(scratch[name], name) }
        folder.write(Array(playlist.utf8), "list.m3u8")
        return folder
    }
}
