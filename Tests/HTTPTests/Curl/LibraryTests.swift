import CCurl
import Testing

@Suite struct LibraryTests {
    @Test(
        arguments: [
            ("libnothing.so.4", 0, "libnothing.so.4, which is not on this machine"),
            ("/etc/passwd", 0, "/etc/passwd, which cannot be loaded (/etc/passwd: "),
            ("libc.so.6", 0, "libc.so.6 has no function curl_global_init"),
            ("libcurl.so.4", 0xFF0000, "but lazyimg needs 255.0 or newer"),
        ] as [(String, UInt32, String)])
    func `a library that will not do is named`(name: String, least: UInt32, words: String) {
        var message = [CChar](repeating: 0, count: 256)
        #expect(lz_curl_try_load(name, least, &message, message.count) != 0)
        let text = message.withUnsafeBytes {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        #expect(text.contains(words), "\(text)")
    }

    @Test func `libcurl is installed`() {
        #expect(lz_curl_load() == 0)
    }
}
