import LazyLoading
import Testing

@Suite struct DataURLTests {
    static let addresses: [(String, [UInt8], String?)] = [
        ("data:,a%00b", [0x61, 0, 0x62], nil),
        ("data:,", [], nil),
        ("DATA:image/gif;base64,R0lG", [0x47, 0x49, 0x46], "image/gif"),
        ("data:image/gif;BASE64,R0k%3D", [0x47, 0x49], "image/gif"),
        ("data:image/gif; base64,R0k", [0x47, 0x49], "image/gif"),
        ("data:;base64,R0%20l%0AG", [0x47, 0x49, 0x46], nil),
        ("data:;base64,-_-_", [0xFB, 0xFF, 0xBF], nil),
        ("data:text/plain;charset=utf-8,%41", [0x41], "text/plain;charset=utf-8"),
        ("data:;charset=Latin-1,%e9", [0xE9], "text/plain;charset=Latin-1"),
        ("data:image/png;a=b;c=%22d%22;base64,Zg==", [0x66], "image/png;a=b;c=\"d\""),
        ("data:base64,Zg==", Array("Zg==".utf8), "base64"),
        ("data:,a,b", Array("a,b".utf8), nil),
        ("data:,a%2cb#c", Array("a,b#c".utf8), nil),
    ]

    @Test(arguments: addresses) func `a data: URL contains bytes and their type`(
        text: String, bytes: [UInt8], type: String?
    ) throws {
        let data = try #require(try DataURL(text))
        #expect(data.bytes == bytes)
        #expect(data.mediaType == type)
    }

    @Test(arguments: [
        "data:image/gif;base64", "data:", "data:;base64,***", "data:,%4", "data:,%zz",
        "data:;base64,Z", "data:;base64,Zg===", "data:;base64,Zg=a",
    ]) func `malformed URLs are refused`(text: String) {
        #expect { try DataURL(text) } throws: { ($0 as? LoadingError)?.code == .badAddress }
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("\u{FB}ÿ", "w7vDvw=="),
    ]) func `bytes survive a round trip`(bytes: String, text: String) throws {
        let made = DataURL(mediaType: "image/gif", bytes: Array(bytes.utf8))
        #expect(made.text == "data:image/gif;base64," + text)
        #expect(try DataURL(made.text) == made)
    }

    @Test func `the charset parameter is case-insensitive`() throws {
        #expect(try DataURL("data:text/html;CHARSET=UTF-8,x")?.charset == "utf-8")
        #expect(try DataURL("data:text/html,x")?.charset == nil)
    }

    @Test(arguments: ["file:/a", "datum:,x", "data", "", "http://a/"])
    func `other schemes are ignored`(text: String) throws {
        #expect(try DataURL(text) == nil)
    }
}

@Suite struct FileURLTests {
    @Test(arguments: [
        ("file:///a/b%20c.gif", "/a/b c.gif"), ("file:/a.gif", "/a.gif"),
        ("FILE://localhost/a.gif", "/a.gif"), ("file://LocalHost/%C3%A9", "/é"),
        ("file:///a%25b?c#d", "/a%b"), ("file:a/b", "a/b"),
    ]) func `a file: URL names a path`(text: String, path: String) throws {
        #expect(try FileURL(text)?.path == path)
    }

    @Test func `a path need not be UTF-8`() throws {
        #expect(try FileURL("file:/%ff")?.pathBytes == [0x2F, 0xFF])
    }

    @Test(arguments: ["file://other/a.gif", "file:", "file:///%zz", "file:///a%00b"])
    func `malformed URLs are refused`(text: String) {
        #expect { try FileURL(text) } throws: { ($0 as? LoadingError)?.code == .badAddress }
    }
}
