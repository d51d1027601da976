import Testing

@testable import LazyBase

@Suite struct CodingTests {
    @Test func `bytes become two digits each`() {
        #expect([0, 10, 0xAB, 255].hexadecimal() == "000aabff")
        #expect([0, 10, 0xAB, 255].hexadecimal(isUppercase: true) == "000AABFF")
    }

    @Test(arguments: [
        ("a%41%c3%A9", Array("aAé".utf8) as [UInt8]?), ("%ff", [255]), ("", []), ("%4", nil),
        ("%", nil), ("%zz", nil), ("%%41", nil),
    ]) func `a percent sign needs two digits`(text: String, bytes: [UInt8]?) {
        #expect(PercentEncoding.decode(text) == bytes)
    }

    @Test func `a decoded text must be UTF-8`() {
        #expect(PercentEncoding.text("%C3%A9") == "é")
        #expect(PercentEncoding.text("%FF") == nil)
    }

    @Test func `only allowed characters stay as they are`() {
        #expect(PercentEncoding.encode("aZ9-/ é%".utf8, allowed: "-/") == "aZ9-/%20%C3%A9%25")
    }
}
