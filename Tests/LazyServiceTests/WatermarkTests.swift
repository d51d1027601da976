import LazyBase
import LazyKit
import LazyMedia
import Support
import Testing

@testable import LazyService

/// Watermarks lie where imgproxy's lie: `calcPosition` and `prepareWatermark` of its sources, computed by hand.
@Suite(.timeLimit(.minutes(2))) struct WatermarkTests {
    private static let (red, blue) = (
        PixelColor(red: 255, green: 0, blue: 0), PixelColor(red: 0, green: 0, blue: 255)
    )

    private static func plain(_ width: Int, _ height: Int, _ color: PixelColor) throws -> Bitmap {
        try Bitmap(size: PixelSize(width: width, height: height), isOpaque: true) { rows in
            for place in 0..<width * height {
                rows[place * 4] = color.red
                rows[place * 4 + 1] = color.green
                rows[place * 4 + 2] = color.blue
                rows[place * 4 + 3] = 255
            }
        }
    }

    /// A blue picture of 20 × 10 with a watermark of 4 × 2 in red, behind options; lines of `#` for red.
    private static func drawn(
        _ options: String, opacity: Double = 1, _ width: Int = 20, _ height: Int = 10
    ) async throws -> (lines: [String], red: Int) {
        let scratch = Scratch()
        scratch.write(try plain(width, height, blue).pngData(), "a.png")
        let served = try Served(scratch.path) {
            $0.setWatermark(try plain(4, 2, red), opacity: opacity)
        }
        let answer = await served.get("/unsafe/\(options)/plain/local:///a.png@png")
        #expect(answer.status == 200, "\(answer)")
        let picture = try await Served.media(answer).poster().bitmap
        return picture.withBytes { bytes in
            let size = picture.size
            var most = 0
            let lines = (0..<size.height).map { y in
                String(
                    (0..<size.width).map { x -> Character in
                        let red = Int(bytes[(y * size.width + x) * 4])
                        most = max(most, red)
                        return red > 0 ? "#" : "."
                    })
            }
            return (lines, most)
        }
    }

    /// The rectangle of the red pixels, as `width×height+x+y`; nil where they are none.
    private static func place(_ lines: [String]) -> String? {
        let rows = lines.indices.filter { lines[$0].contains("#") }
        guard let first = rows.first, let last = rows.last else { return nil }
        let columns = Array(lines[first]).indices.filter { Array(lines[first])[$0] == "#" }
        return "\(columns.count)×\(last - first + 1)+\(columns[0])+\(first)"
    }

    @Test(arguments: [
        ("wm:1", "4×2+8+4"), ("wm:1:nowe", "4×2+0+0"), ("wm:1:no", "4×2+8+0"),
        ("wm:1:noea", "4×2+16+0"), ("wm:1:ea", "4×2+16+4"), ("wm:1:soea", "4×2+16+8"),
        ("wm:1:so", "4×2+8+8"), ("wm:1:sowe", "4×2+0+8"), ("wm:1:we", "4×2+0+4"),
        // Offsets in pixels and in shares, inwards; what is outside is cut.
        ("wm:1:nowe:3:2", "4×2+3+2"), ("wm:1:soea:3:2", "4×2+13+6"),
        ("wm:1:nowe:0.5:0.5", "4×2+10+5"), ("wm:1:nowe:-2:-1", "2×1+0+0"),
        ("wm:1:nowe:100:0", "1×2+19+0"),
        // Sizes in shares of the result.
        ("wm:1:nowe:0:0:0.5", "10×5+0+0"), ("wm:1:nowe:0:0:1", "20×10+0+0"),
        // On what was scaled and extended, with its density.
        ("w:10/wm:1:soea", "4×2+6+3"), ("rs:fill:10:10/wm:1:nowe:1:1", "4×2+1+1"),
        ("w:5/dpr:2/wm:1:nowe:2:1", "4×2+4+2"), ("pd:5/wm:1:nowe", "4×2+0+0"),
    ]) func `a watermark lies where its path says`(options: String, place: String) async throws {
        let lines = try await Self.drawn(options).lines
        #expect(Self.place(lines) == place, "\(lines.joined(separator: "\n"))")
    }

    @Test func `copies cover everything, one of them in the middle`() async throws {
        let all = try await Self.drawn("wm:1:re").lines
        #expect(all.allSatisfy { $0 == String(repeating: "#", count: 20) })
        let apart = try await Self.drawn("wm:1:re:1:1").lines
        let row = "##.####.####.####.##"
        let none = String(repeating: ".", count: 20)
        #expect(apart == [none, row, row, none, row, row, none, row, row, none])
    }

    @Test func `opacities are those of the service and of the path together`() async throws {
        #expect(try await Self.drawn("wm:0.5", opacity: 0.5).red == 64)
        #expect(try await Self.drawn("wm:0", opacity: 1).red == 0)
        #expect(try await Self.drawn("wm:1", opacity: 0).red == 0)
    }

    @Test func `every frame has it, and another one is another result`() async throws {
        let served = try Served { $0.setWatermark(try Self.plain(40, 20, Self.red)) }
        let path = "/unsafe/w:60/wm:1:nowe/plain/local:///counter.gif@apng"
        let first = await served.get(path)
        var count = 0
        for try await frame in try await Served.media(first).frames() {
            count += 1
            let pixel = frame.bitmap.withBytes { Array($0.prefix(3)) }
            #expect(pixel == [255, 0, 0])
        }
        #expect(count > 1)
        served.service.configuration.setWatermark(try Self.plain(41, 20, Self.red))
        let second = await served.get(path)
        #expect(second.origin == "made" && second.fields["ETag"] != first.fields["ETag"])
    }

    @Test func `without a picture the option has no effect`() async throws {
        let served = try Served()
        let plain = await served.get("/unsafe/w:8/plain/local:///still.jpg@png")
        let marked = await served.get("/unsafe/w:8/wm:1/plain/local:///still.jpg@png")
        #expect(marked.fields["ETag"] == plain.fields["ETag"] && marked.origin == "memory")
    }
}
