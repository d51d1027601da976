import FoundationEssentials
import LazyLoading
import Testing

@testable import LazyBase
@testable import LazyCLI

@Suite struct FileNamingTests {
    static let names: [(String, String?, String)] = [
        ("http://a/b/clip.mp4", nil, "clip.mp4"),
        ("http://a/b/clip.mp4?size=2#x", nil, "clip.mp4"),
        ("http://a/b%20c%2Fd.gif", nil, "d.gif"), ("http://a/b/", nil, "b"),
        ("http://a", nil, "download"), ("http://a/..", nil, "download"),
        ("http://a/%2e%2e%2f.bashrc", nil, "bashrc"), ("http://a/-rf", nil, "rf"),
        ("http://a/x.gif", "attachment", "x.gif"),
        ("http://a/x.gif", "attachment; filename=cat.gif", "cat.gif"),
        ("http://a/x.gif", "inline; filename=\"a cat.gif\"; size=3", "a cat.gif"),
        ("http://a/x.gif", "attachment; filename=\"a\\\"b.gif\"", "a\"b.gif"),
        ("http://a/x.gif", "attachment; filename=\"../../etc/passwd\"", "passwd"),
        ("http://a/x.gif", "attachment; filename=\"C:\\\\dir\\\\y.gif\"", "y.gif"),
        ("http://a/x.gif", "attachment; filename=\"\"", "x.gif"),
        ("http://a/x.gif", "attachment; filename=\"...\"", "x.gif"),
        (
            "http://a/x.gif", "attachment; filename=\"e.gif\"; filename*=UTF-8''%e2%82%ac.gif",
            "€.gif"
        ),
        ("http://a/x.gif", "attachment; filename*=UTF-8''%ff; filename=ok.gif", "ok.gif"),
        ("http://a/x.gif", "attachment; filename=\"a\u{202E}fig.exe\"", "afig.exe"),
        ("http://a/x.gif", "attachment; filename=\"a\u{1B}[2Jb.gif\"", "a[2Jb.gif"),
        ("http://a/x.gif", ";;;=;\"", "x.gif"),
        ("http://a/x.gif", "attachment; filename=\"\u{200B}\u{FEFF}\u{2060}\u{AD}\"", "x.gif"),
        ("http://a/x.gif", "attachment; filename=\"\u{3000}\u{A0}\u{2800}\u{3164}\"", "x.gif"),
        ("http://a/x.gif", "attachment; filename=\" \u{A0}. .\u{2003}.\"", "x.gif"),
        (
            "http://a/x.gif", "attachment; filename=\"a\u{200F}\u{61C}b\u{E0041}\u{E000}.gif\"",
            "ab.gif"
        ),
        ("http://a/x.gif", "attachment; filename=\"a\u{2003}\u{3000} b.gif\"", "a b.gif"),
        (
            "http://a/x.gif", "attachment; filename*=UTF-8''%CC%81%E2%83%9De.gif", "e.gif"
        ),
        ("http://a/%E2%80%8B", nil, "download"),
    ]

    @Test(arguments: names) func `a download is named by the server or its URL, in its folder`(
        url: String, disposition: String?, name: String
    ) throws {
        let url = try #require(URL(string: url))
        let headers: HTTPHeaders = disposition.map { ["Content-Disposition": $0] } ?? [:]
        #expect(FileNaming.name(url: url, headers: headers) == name)
    }

    @Test func `a name that is too long is shortened and keeps its extension`() {
        let name = FileNaming.safe(String(repeating: "ü", count: 300) + ".webm")
        #expect(name?.utf8.count == 199 || name?.utf8.count == 200)
        #expect(name?.hasSuffix("ü.webm") == true)
        let ending = FileNaming.safe("a." + String(repeating: "x", count: 300))
        #expect(ending?.utf8.count == 200)
    }
}
