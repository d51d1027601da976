import Foundation
import LazyBase
import LazyCodecs
import LazyMedia
import Testing

@testable import LazyTerminal

@Suite struct KittyCanvasTests {
    private static let grid = CellGrid(checking: 40, 12) ?? .standard
    private static let red = SIMD4<UInt8>(255, 0, 0, 255)
    private static let blue = SIMD4<UInt8>(0, 0, 255, 255)

    /// A command: its keys, and the data of all its parts.
    struct Command {
        var keys: [String: String] = [:]
        var data: [UInt8] = []
    }

    /// Reads the commands in a frame as a terminal does.
    static func commands(_ bytes: [UInt8]) throws -> [Command] {
        var commands: [Command] = []
        var isOpen = false
        for part in bytes.escapes.components(separatedBy: "^_G").dropFirst() {
            let text = try #require(part.components(separatedBy: "^\\").first)
            let halves = text.components(separatedBy: ";")
            var keys: [String: String] = [:]
            for pair in halves[0].split(separator: ",") {
                keys[String(pair.prefix(1))] = String(pair.dropFirst(2))
            }
            let data = halves.count > 1 ? try #require(Data(base64Encoded: halves[1])) : Data()
            #expect(halves.count < 2 || halves[1].utf8.count <= 4096)
            if isOpen {
                commands[commands.count - 1].data += Array(data)
            } else {
                commands.append(Command(keys: keys, data: Array(data)))
            }
            isOpen = keys["m"] == "1"
        }
        #expect(!isOpen)
        return commands
    }

    private static func canvas(animates: Bool, isInTmux: Bool = false) -> KittyCanvas {
        KittyCanvas(
            grid, .center,
            Pictures.traits { graphics in
                graphics.kitty = .direct
                graphics.animates = animates
                graphics.isInTmux = isInTmux
            }, FormatRegistry([.png]).encoders)
    }

    private static func decoded(_ png: [UInt8]) throws -> Bitmap {
        let decoder = PNGDecoder()
        let media = try decoder.open(MemoryBytes(png), type: .png, limits: .web)
        let frame = try media.makeReader(ReaderOptions(limits: .web)).nextFrame()
        return try #require(frame).bitmap
    }

    @Test func `the first frame is a PNG of the same pixels, in the middle`() throws {
        var canvas = Self.canvas(animates: false)
        let scene = try Pictures.scene(200, 100, square: 20)
        let bytes = try Pictures.draw(&canvas, scene)
        #expect(bytes.escapes.hasPrefix("^[0m^[2J^[2;1H^_Ga=T,q=2,C=1,c=40,r=10,p=1,i="))
        // Kitty 0.26 loses commands within synchronized updates.
        #expect(!bytes.escapes.contains("[?2026"))
        let commands = try Self.commands(bytes)
        #expect(commands.map { $0.keys["a"] } == ["T", "d"])
        #expect(commands[0].keys["f"] == "100")
        #expect(try Self.decoded(commands[0].data) == scene)
    }

    @Test func `each frame replaces the one before by another number`() throws {
        var canvas = Self.canvas(animates: false)
        let first = try Self.commands(
            Pictures.draw(&canvas, Pictures.scene(64, 32, square: 0)))
        let second = try Self.commands(
            Pictures.draw(&canvas, Pictures.scene(64, 32, square: 1)))
        #expect(second.map { $0.keys["a"] } == ["T", "d"])
        #expect(first[0].keys["i"] != second[0].keys["i"])
        #expect(second[1].keys["i"] == first[0].keys["i"])
        #expect(second[1].keys["d"] == "I")
    }

    @Test func `few changes are drawn into the picture, the rest is transparent`() throws {
        var canvas = Self.canvas(animates: true)
        let before = try Pictures.scene(120, 60, square: 10)
        let after = try Pictures.scene(120, 60, square: 12)
        let whole = try Self.commands(Pictures.draw(&canvas, before))
        let bytes = try Pictures.draw(&canvas, after)
        let command = try #require(try Self.commands(bytes).first)
        #expect(command.keys["a"] == "f")
        #expect(command.keys["r"] == "1")
        #expect(command.keys["i"] == whole[0].keys["i"])
        #expect(command.keys["X"] == nil)
        let part = try Self.decoded(command.data)
        #expect(part.size == PixelSize(width: 10, height: 10))
        for y in 0..<10 {
            for x in 0..<10 {
                let isSame = before[10 + x, 10 + y] == after[10 + x, 10 + y]
                #expect(part[x, y] == (isSame ? .zero : after[10 + x, 10 + y]))
            }
        }
        #expect([command.keys["x"], command.keys["y"]] == ["10", "10"])
    }

    @Test func `a frame without changes writes nothing`() throws {
        var canvas = Self.canvas(animates: true)
        let scene = try Pictures.scene(60, 60, square: 10)
        _ = try Pictures.draw(&canvas, scene)
        #expect(try Pictures.draw(&canvas, scene).isEmpty)
        canvas.invalidate()
        #expect(try Pictures.draw(&canvas, scene).escapes.contains("^[2J"))
    }

    @Test func `a pixel that becomes transparent replaces what is there`() throws {
        var canvas = Self.canvas(animates: true)
        let whole = try Pictures.bitmap(40, 40) { _, _ in Self.red }
        let hole = try Pictures.bitmap(40, 40) { x, y in x == 3 && y == 4 ? .zero : Self.red }
        _ = try Pictures.draw(&canvas, whole)
        let command = try #require(try Self.commands(Pictures.draw(&canvas, hole)).first)
        #expect(command.keys["X"] == "1")
        #expect(try Self.decoded(command.data)[0, 0] == .zero)
    }

    @Test func `a palette is sent in its own size, other pictures never larger than shown`() {
        let canvas = Self.canvas(animates: false)
        let (large, small) = (PixelSize(width: 480, height: 240), PixelSize(width: 40, height: 20))
        #expect(canvas.pixelSize(of: large, hasPalette: true) == large)
        #expect(
            canvas.pixelSize(of: large, hasPalette: false) == PixelSize(width: 400, height: 200))
        #expect(canvas.pixelSize(of: small, hasPalette: false) == small)
    }

    @Test func `in tmux each command is passed through on its own`() throws {
        var canvas = Self.canvas(animates: false, isInTmux: true)
        let text = try Pictures.draw(&canvas, Pictures.scene(80, 80, square: 9)).escapes
        let parts = text.components(separatedBy: "^Ptmux;").dropFirst()
        #expect(parts.count > 2)
        #expect(parts.allSatisfy { $0.contains("^^\\^\\") })
        #expect(!text.replacing("^^_G", with: "").contains("^_G"))
        #expect(parts.first?.hasPrefix("^^_Ga=t,q=2,i=") == true)
        // tmux moves the terminal's cursor when it draws, and to the corner after each sequence: the step
        // back from what it drew and the picture are in one.
        let placing = try #require(parts.firstIndex { $0.hasPrefix("^^[D^^_Ga=p,q=2,C=1,c=") })
        #expect(parts[placing - 1].hasSuffix("^[?7l^[31m \u{08}^[32m ^[0m^[?7h"))
        #expect(parts.filter { $0.contains("a=T") || $0.contains("a=p") }.count == 1)
    }

    @Test func `in tmux each frame is whole: it may have cleared the screen`() throws {
        var canvas = Self.canvas(animates: true, isInTmux: true)
        for square in 8..<10 {
            let text = try Pictures.draw(&canvas, Pictures.scene(80, 80, square: square)).escapes
            #expect(text.contains("_Ga=t,") && text.contains("_Ga=p,"))
        }
    }

    @Test func `a large picture comes in parts, and an error ends it`() throws {
        let noise = try Pictures.bitmap(400, 200) { x, y in
            var value = UInt64(y * 400 + x) &* 0x9E37_79B9_7F4A_7C15
            value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
            let bytes = [56, 48, 40].map { UInt8(truncatingIfNeeded: value >> $0) }
            return SIMD4(bytes[0], bytes[1], bytes[2], 255)
        }
        var canvas = Self.canvas(animates: false)
        var parts: [Int] = []
        var bytes: [UInt8] = []
        try canvas.draw(noise) { (content) throws(SystemError) in
            parts.append(content.count)
            bytes += content
        }
        #expect(parts.count > 2)
        #expect(parts.allSatisfy { $0 < 80_000 })
        #expect(try Self.decoded(try #require(try Self.commands(bytes).first).data) == noise)
        var count = 0
        #expect(throws: SystemError(code: 32)) {
            try canvas.draw(noise) { (_) throws(SystemError) in
                count += 1
                throw SystemError(code: 32)
            }
        }
        #expect(count == 1)
        // The next frame is whole again.
        #expect(try Pictures.draw(&canvas, noise).escapes.hasSuffix("^\\"))
    }

    @Test(arguments: [TerminalGraphics.Transfer.memory, .files])
    func `pixels are handed over in a file until the terminal has read it`(
        medium: TerminalGraphics.Transfer
    ) throws {
        let files = try #require(PictureFiles(medium))
        let pixels = [UInt8](0..<64)
        let names = try (0..<3).map { _ in
            let name = try #require(pixels.withUnsafeBytes { files.hand($0) })
            return try #require(
                Data(base64Encoded: name).map { String(decoding: $0, as: UTF8.self) })
        }
        #expect(files.isBehind)
        #expect(Set(names).count == 3)
        let path = (medium == .memory ? "/dev/shm" : "") + names[0]
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(pixels))
        #expect(path.contains("tty-graphics-protocol"))
        try FileManager.default.removeItem(atPath: path)
        #expect(!files.isBehind)
    }
}
