import Support
import Testing
import ToolSupport

/// GIFs that get smaller by similar colors, as `gifsicle --lossy` makes them.
@Suite(.ownThreads) struct LossyGIFTests {
    private let scratch = Scratch()

    private func convert(_ source: String, _ options: String...) -> [UInt8] {
        let path = scratch.path("out.gif")
        let made = Tool.run(["convert", source, "-o", path, "--force"] + options)
        #expect(made.status == 0, "\(made.errors)")
        return Tool.bytes(path)
    }

    /// The source as ffmpeg makes it, dithered.
    private func source() -> String {
        let path = scratch.path("film.gif")
        _ = Peer.output(
            of: "ffmpeg -v error -y -i \(Media.path("small.mp4")) -lavfi "
                + "'split[a][b];[a]palettegen[p];[b][p]paletteuse' \(path) </dev/null")
        return path
    }

    /// The ratio of signal to noise, in dB, as ffmpeg sees both.
    private func noise(_ bytes: [UInt8], _ source: String) -> Double {
        let path = scratch.path("compared.gif")
        Tool.write(bytes, to: path)
        let text = String(
            decoding: Peer.output(
                of: "ffmpeg -i \(path) -i \(source) -lavfi psnr -f null - </dev/null 2>&1"),
            as: UTF8.self)
        let average = text.split(separator: " ").last { $0.hasPrefix("average:") }
        return average.flatMap { Double($0.dropFirst(8)) } ?? .infinity
    }

    @Test func `less quality is fewer bytes of nearly the same picture`() {
        let film = source()
        let exact = convert(film)
        #expect(convert(film, "--quality", "100") == exact)
        var last = exact.count
        for quality in ["90", "60", "30"] {
            let made = convert(film, "--quality", quality)
            #expect(made.count < last, "\(quality)")
            #expect(noise(made, film) > (quality == "30" ? 24 : 28), "\(quality)")
            last = made.count
        }
        #expect(convert(film, "--lossy") == convert(film, "--quality", "60", "--lossy"))
    }

    @Test func `a single picture has a quality, as an animation has`() {
        let photo = Media.path("still.jpg")
        let exact = convert(photo)
        #expect(convert(photo, "-q", "100") == exact)
        var last = exact.count
        for quality in ["90", "60", "20"] {
            let made = convert(photo, "-q", quality)
            #expect(made.count < last, "\(quality)")
            last = made.count
        }
        // Frames of many colors keep the picture before instead.
        let film = Media.path("small.mp4")
        #expect(convert(film, "-q", "60") != convert(film, "-q", "60", "--lossy"))
    }

    /// GIFs of films, drawings and noise, whole and with parts that stay: at the same noise some percent larger at most.
    @Test(
        .needs("ffmpeg", "gifsicle"),
        arguments: [
            "testsrc2=s=160x96:r=10:d=1", "mandelbrot=s=160x96:r=10",
            "life=s=160x96:r=10:seed=5:mold=10:life_color=#C83232:death_color=#32C83C",
            "smptebars=s=160x96:r=10,noise=alls=20:allf=t",
        ])
    func `it is about as small as gifsicle's`(source: String) throws {
        let path = scratch.path("source.gif")
        _ = Peer.output(
            of: "ffmpeg -v error -y -f lavfi -t 1 -i '\(source)' -lavfi "
                + "'split[a][b];[a]palettegen[p];[b][p]paletteuse' \(path) </dev/null")
        let theirs = Peer.output(of: "gifsicle -O3 --lossy=80 \(path)")
        let wanted = noise(theirs, path)
        try #require(theirs.count > 1000 && wanted < 90)
        // The quality at which ours has no more noise than theirs.
        let ours = stride(from: 40, through: 100, by: 4).map {
            convert(path, "-q", "\($0)", "--lossy")
        }
        let fitting = ours.first { noise($0, path) >= wanted }
        let size = try #require(fitting).count
        #expect(
            size * 20 <= theirs.count * 21,
            "\(size) bytes, and theirs \(theirs.count) at \(wanted) dB")
    }

    /// The number of frames, their times and the loop stay.
    @Test func `only colors change`() throws {
        let film = source()
        _ = convert(film, "--lossy")
        let (one, two) = (
            Tool.run(["info", film, "--frames", "--json"]).text,
            Tool.run(["info", scratch.path("out.gif"), "--frames", "--json"]).text
        )
        let (before, after) = (try ParsedJSON.parse(one), try ParsedJSON.parse(two))
        func times(_ json: ParsedJSON) -> [Int?]? {
            json["frames"]?.elements?.map { $0["ptsUs"]?.integer }
        }
        #expect(times(before) == times(after) && times(before)?.count ?? 0 > 10)
        #expect(before["durationUs"]?.integer == after["durationUs"]?.integer)
    }

    @Test func `a GIF has no lossless of its own`() {
        let made = Tool.run(
            ["convert", Media.path("counter.gif"), "-o", scratch.path("a.gif"), "--lossless"])
        #expect(made.status == 64, "\(made.errors)")
    }
}
