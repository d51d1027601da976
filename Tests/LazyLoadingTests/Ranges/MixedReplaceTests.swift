import LazyBase
import Support
import Testing

@testable import LazyLoading

/// Pictures of cameras, one after the other in one response.
@Suite struct MixedReplaceTests {
    private static let pictures: [[UInt8]] = [
        [1, 2, 3], [0x0D, 0x0A, 0x2D, 0x2D, 0x66], Array("\r\n--fram\r\n\r\n".utf8), [9],
    ]

    private static func body(
        _ delimiter: String, hasLength: Bool, preamble: String = ""
    ) -> [UInt8] {
        var body = Array(preamble.utf8)
        for picture in pictures {
            let length = hasLength ? "content-length:  \(picture.count)\r\n" : ""
            body += Array("\(delimiter)\r\nContent-Type: image/jpeg\r\n\(length)\r\n".utf8)
            body += picture + Array("\r\n".utf8)
        }
        return body + Array("\(delimiter)--\r\n".utf8)
    }

    @Test(arguments: [true, false]) func `parts are taken out of any pieces`(hasLength: Bool) {
        for delimiter in ["--frame", "----frame", "--"] where hasLength || delimiter != "--" {
            let body = Self.body(delimiter, hasLength: hasLength, preamble: "ignored\r\n\r\n")
            for size in 1...body.count {
                var parts = MixedReplaceParts()
                var got: [UInt8] = []
                for start in stride(from: 0, to: body.count, by: size) {
                    got += parts.take(Array(body[start..<min(body.count, start + size)]))
                }
                #expect(got == Self.pictures.flatMap { $0 })
            }
        }
    }

    @Test func `what is no multipart body waits in bounds`() {
        var parts = MixedReplaceParts()
        for _ in 0..<100 { #expect(parts.take([UInt8](repeating: 7, count: 1000)).isEmpty) }
        #expect(parts.take(Array("\r\n--x\r\n\r\nab\r\n--x".utf8)) == [97, 98])
    }
}
