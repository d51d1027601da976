import Support
import Testing
import ToolSupport

/// `play --frames` of a few frames, which does not decode the others.
@Suite(.ownThreads) struct SparseFramesTests {
    private let scratch = Scratch()

    private func hashes(_ path: String, _ words: String...) -> [[Substring]] {
        let outcome = Tool.run(
            ["play", path, "--frames", "-", "--format", "framehash"] + words)
        #expect(outcome.status == 0)
        return outcome.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: ",") }
    }

    @Test(
        arguments: [
            "clip.mp4", "small.mp4", "hevc.mp4", "av1.mp4", "av1-layers.mp4", "vp8.webm",
            "vp9.webm", "vfr.mp4",
            "vfr.mkv", "fragmented.mp4", "moov-last.mp4", "edit-list.mp4", "h264.mov", "h264.ts",
            "mpeg4.avi",
            "rotated-90.mp4",
        ])
    func `every third frame is that of all`(name: String) {
        let all = hashes(Media.path(name))
        let few = hashes(Media.path(name), "--every", "3")
        #expect(few.count == (all.count + 2) / 3)
        for (number, frame) in few.enumerated() {
            #expect(frame.last == all[number * 3].last, "frame \(number * 3)")
            #expect(frame[1] == all[number * 3][1])
        }
    }

    /// Frames a second, and those shown in the middle of each step: `clip.mp4` has 25 a second.
    @Test(arguments: [("1", 25.0), ("5", 5.0), ("12", 25.0 / 12)])
    func `frames at a rate are those shown in the middle of a step`(rate: String, step: Double) {
        let all = hashes(Media.path("clip.mp4"))
        let few = hashes(Media.path("clip.mp4"), "--fps", rate)
        #expect(few.count == Int((Double(all.count) / step).rounded()))
        for (number, frame) in few.enumerated() {
            // A frame that starts exactly in the middle waits for the next step.
            let shown = Int(((Double(number) + 0.5) * step - 1e-9).rounded(.down))
            #expect(frame.last == all[shown].last, "step \(number)")
        }
    }

    /// A stream is read in sequence; pictures that are not selected are left out before they are edited.
    @Test(
        arguments: [("h264.ts", 12.0), ("clip.mp4", 25.0), ("vp9.webm", 12.0)],
        ["--crop=40x30+7+9", "--rotate=right", "--pad=3"])
    func `selected frames of a stream are those of all, edited`(
        film: (name: String, rate: Double), edit: String
    ) {
        let all = stream(film.name, edit)
        let few = stream(film.name, edit, "--every", "4")
        #expect(few == stride(from: 0, to: all.count, by: 4).map { all[$0] })
        let step = film.rate / 5
        let five = stream(film.name, edit, "--fps", "5")
        #expect(!five.isEmpty && five.count == Int((Double(all.count) / step).rounded()))
        let shown = five.indices.map { Int(((Double($0) + 0.5) * step - 1e-9).rounded(.down)) }
        #expect(five == shown.map { all[$0] })
    }

    private func stream(_ name: String, _ words: String...) -> [Substring] {
        let outcome = Tool.run(
            ["play", "-", "--frames", "-", "--format", "framehash"] + words,
            input: Media.path(name))
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").last }
    }

    /// Also behind a place where a second recording begins, whose clock starts anew.
    @Test(
        .needs("ffmpeg"),
        arguments: ["libx264 -bf 2", "libx264 -bf 0 -x264-params open-gop=1", "mpeg2video"])
    func `frames of a transport stream are found by their place`(codec: String) {
        let (one, two) = (scratch.path("one.ts"), scratch.path("two.ts"))
        _ = Peer.output(
            of: "ffmpeg -v error -y -f lavfi -i testsrc2=s=96x64:r=25:d=12 -f lavfi -i sine=d=12 "
                + "-c:v \(codec) -g 20 -pix_fmt yuv420p -c:a mp2 \(one) </dev/null")
        Tool.write(Tool.bytes(one) + Tool.bytes(one), to: two)
        for path in [one, two] {
            let all = hashes(path)
            #expect(all.count > 290)
            let wanted = stride(from: 7, to: all.count, by: 61).reversed().map { "#\($0)" }
            let outcome = Tool.run(
                ["frames", path, "-o", "-", "-f", "framehash", "--at"]
                    + [wanted.joined(separator: ",")])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let few = outcome.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
                .map { $0.split(separator: ",") }
            #expect(few.count == wanted.count)
            for (place, frame) in few.enumerated() {
                #expect(frame.last == all[7 + 61 * place].last, "\(7 + 61 * place)")
            }
        }
    }

    /// Places of the file, in percent, where bytes are damaged.
    @Test(arguments: ["clip.mp4", "small.mp4", "vp9.webm", "av1-layers.mp4"], [55, 80])
    func `behind damage frames have the times of a whole reading`(name: String, place: Int) {
        var bytes = Tool.bytes(Media.path(name))
        let start = bytes.count * place / 100
        for offset in start..<min(start + 400, bytes.count) { bytes[offset] ^= 0x5A }
        let path = scratch.write(bytes, "damaged." + name.split(separator: ".")[1])
        let all = hashes(path)
        let few = hashes(path, "--every", "4")
        // Not their pixels: what is concealed differs from run to run.
        #expect(few.map { $0[1] } == stride(from: 0, to: all.count, by: 4).map { all[$0][1] })
    }
}
