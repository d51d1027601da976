import FoundationEssentials
import LazyPipeline
import Testing

@testable import LazyBase
@testable import LazyCLI

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
    ]) func `invalid addresses are usage errors`(text: String) {
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
        ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg", "foob"), ("Zm9v\nYmE=", "fooba"),
    ]) func `base64 is that of RFC 4648`(text: String, plain: String) throws {
        #expect(try InputAddress("data:;base64," + text) == .data(Array(plain.utf8)))
    }

    @Test func `base64 accepts two alphabets`() throws {
        #expect(try InputAddress("data:;base64,+/-_") == .data([0xFB, 0xFF, 0xBF]))
        for text in ["Z", "Zg===", "Zg=a", "Zm9v!"] {
            #expect(throws: CommandFailure.self) { try InputAddress("data:;base64," + text) }
        }
    }

    @Test func `base64 is recognized by the semicolon before it`() throws {
        #expect(try InputAddress("data:base64,Zg==") == .data(Array("Zg==".utf8)))
    }

    @Test func `a query and a fragment are not part of a file's path`() throws {
        #expect(try InputAddress("file:///a.gif?v=1#t") == .path("/a.gif"))
    }

    @Test(arguments: [
        ("http://bücher.example/a.gif", "http://xn--bcher-kva.example/a.gif"),
        ("http://BÜCHER.example:81/ä", "http://xn--bcher-kva.example:81/%C3%A4"),
        ("http://me@日本語。jp?q", "http://me@xn--wgv71a119e.jp?q"),
        ("https://пример.испытание/", "https://xn--e1afmkfd.xn--80akhbyknj4f/"),
        ("http://[::1]:80/x", "http://[::1]:80/x"),
    ]) func `internationalized hosts are written in ASCII`(text: String, address: String) throws {
        #expect(RemoteAddress.url(text)?.absoluteString == address)
    }

    @Test(arguments: [
        "http://a:99999/", "http://a:0/", "http://" + String(repeating: "ü", count: 64) + ".de/",
    ]) func `invalid ports and hosts are rejected`(text: String) {
        #expect(RemoteAddress.url(text) == nil)
    }
}
