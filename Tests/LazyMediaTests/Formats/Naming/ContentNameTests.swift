import Testing

@testable import LazyMedia

@Suite struct ContentNameTests {
    @Test(
        arguments: [
            (
                "PCX ver. 3.0 image data bounding box [0, 0] - [63, 47]", "image/x-pcx",
                "a PCX picture"
            ),
            (
                "Adobe Photoshop Image, 64 x 48, RGB", "image/vnd.adobe.photoshop",
                "an Adobe Photoshop picture"
            ),
            ("Standard MIDI data (format 1)", "audio/midi", "a Standard MIDI sound file"),
            ("PDF document, version 1.4", "application/pdf", "a PDF document"),
            ("Zip archive data, at least v2.0", "application/zip", "a Zip archive"),
            ("HTML document, ASCII text", "text/html", "an HTML document"),
            ("JSON text data", "application/json", "JSON text"),
            ("gzip compressed data, was \"a\"", "application/gzip", "gzip compressed data"),
            ("Microsoft Word 2007+", "application/vnd.ms-word", "a Microsoft Word 2007+ file"),
            (
                "OpenDocument Text", "application/vnd.oasis.opendocument.text",
                "an OpenDocument Text file"
            ),
        ] as [(String, String, String)])
    func `the first words of a description are a name`(
        description: String, type: String, name: String
    ) {
        #expect(ContentName(description, mimeType: type)?.text == name)
    }

    @Test(
        arguments: [
            ("data", "application/octet-stream"), ("ASCII text", "text/plain"), ("", ""),
            ("very short file (no data)", "application/octet-stream"), ("empty", "inode/x-empty"),
            ("\u{1B}[2J", "application/x-thing"),
        ] as [(String, String)])
    func `what says nothing is no name`(description: String, type: String) {
        #expect(ContentName(description, mimeType: type) == nil)
    }

    @Test func `a name is short, and printable`() throws {
        let long = String(repeating: "very ", count: 100) + "long"
        let name = try #require(ContentName(long, mimeType: "application/x-thing"))
        #expect(name.text.count < 80)
        let odd = try #require(ContentName("Odd\u{7}\nthing", mimeType: "application/x-thing"))
        #expect(odd.text == "an Odd file")
    }
}
