import Testing

@testable import LazyCommands

@Suite struct InputAddressTests {
    static let addresses: [(String, InputAddress)] = [
        ("-", .standardInput), ("./-", .path("./-")), ("clip.mp4", .path("clip.mp4")),
        ("c:clip.mp4", .path("c:clip.mp4")), ("file:///a/b%20c.gif", .path("/a/b c.gif")),
        ("file:/a.gif", .path("/a.gif")), ("FILE://localhost/a.gif", .path("/a.gif")),
        ("data:,a%00b", .data([0x61, 0, 0x62])),
        ("data:image/gif;base64,R0lG", .data([0x47, 0x49, 0x46])),
        ("data:image/gif;BASE64,R0k%3D", .data([0x47, 0x49])),
        ("data:text/plain;charset=x,%41", .data([0x41])),
    ]

    @Test(arguments: addresses) func `an input is a path, standard input or a URL`(
        text: String, address: InputAddress
    ) throws {
        #expect(try InputAddress(text) == address)
    }

    @Test(arguments: [
        "", "http://", "https:///b.gif", "http://a b/", "data:image/gif;base64", "data:;base64,***",
        "data:,%4",
        "file://other/a.gif", "file:", "file:///%zz", "file:///a%00b",
    ]) func `what cannot be read is refused as usage`(text: String) {
        #expect { try InputAddress(text) } throws: { ($0 as? CommandFailure)?.status == .usage }
    }

    static let names = [
        ("/a/b.c/clip.one.mp4", "clip.one", "mp4"), ("clip", "clip", ""),
        (".hidden", ".hidden", ""), ("http://a/b/c.d.gif?x=/y.png#z", "c.d", "gif"),
        ("https://a/%2e%2e%2Fx%20y.gif", "x y", "gif"), ("https://a", "download", ""),
        ("a/b/", "b", ""), ("-", "stdin", ""), ("data:,x", "data", ""),
    ]

    @Test(arguments: names) func `the name is without folder and extension`(
        text: String, name: String, ending: String
    ) throws {
        let address = try InputAddress(text)
        #expect(address.name == name)
        #expect(address.fileExtension == ending)
    }

    @Test func `standard input is read once`() {
        #expect(throws: CommandFailure.self) { try Input.parse(["-", "a.gif", "-"]) }
    }

    @Test(arguments: [
        ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg", "foob"),
        ("Zm9v\nYmE=", "fooba"),
    ]) func `base64 is that of RFC 4648`(text: String, plain: String) {
        #expect(Base64.decode(Array(text.utf8)) == Array(plain.utf8))
    }

    @Test func `base64 knows both alphabets and refuses others`() {
        #expect(Base64.decode(Array("+/-_".utf8)) == [0xFB, 0xFF, 0xBF])
        for text in ["Z", "Zg===", "Zg=a", "Zm9v!"] {
            #expect(Base64.decode(Array(text.utf8)) == nil)
        }
    }
}
