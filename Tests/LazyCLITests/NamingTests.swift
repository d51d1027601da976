import Support
import Testing
import ToolSupport

/// What `info` says of files that are not read.
@Suite(.ownThreads) struct NamingTests {
    private let scratch = Scratch()

    static let named: [(bytes: [UInt8], name: String)] = [
        (
            Array("8BPS".utf8) + [
                0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 48, 0, 0, 0, 64, 0, 8, 0, 3,
            ]
                + [UInt8](repeating: 0, count: 64), "an Adobe Photoshop picture"
        ),
        (
            Array("<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n".utf8),
            "an SVG Scalable Vector Graphics picture"
        ),
        (Array("%PDF-1.4\n1 0 obj\n<<>>\nendobj\n".utf8), "a PDF document"),
        ([0x50, 0x4B, 3, 4, 20, 0] + [UInt8](repeating: 0, count: 64), "a Zip archive"),
        (Array(Tool.bytes("/proc/self/exe").prefix(1 << 17)), "an ELF 64-bit LSB"),
    ]

    @Test(arguments: named.indices, ["always", "never"])
    func `what is not read is named, where media is decoded`(item: Int, isolation: String) {
        let (bytes, name) = Self.named[item]
        let path = scratch.path("a.bin")
        Tool.write(bytes, to: path)
        let outcome = Tool.run(["info", path, "--isolate", isolation])
        #expect(outcome.status == 65)
        #expect(outcome.errors.hasPrefix("lazyimg: \(path): This is \(name)"))
        #expect(outcome.errors.contains(", which lazyimg does not read."))
    }

    @Test(.needs("ffmpeg")) func `a PCX picture is named, also on standard input`() {
        let path = scratch.path("a.pcx")
        _ = Peer.output(
            of: "ffmpeg -v error -f lavfi -i testsrc=size=64x48 -frames:v 1 -c:v pcx '\(path)'")
        let sentence = "This is a PCX picture, which lazyimg does not read."
        #expect(Tool.run(["info", path]).errors.contains(sentence))
        #expect(Tool.run(["poster", "-", "-o", "-"], input: path).errors.contains(sentence))
    }

    @Test(arguments: ["always", "never"])
    func `what has no name is unknown`(isolation: String) {
        for bytes in [[1, 2], [UInt8](repeating: 0, count: 4096), Array("some words\n".utf8)] {
            let path = scratch.path("a.bin")
            Tool.write(bytes, to: path)
            let outcome = Tool.run(["info", path, "--isolate", isolation])
            #expect(outcome.status == 65)
            #expect(outcome.errors.contains("The input is not media that lazyimg knows."))
        }
    }
}
