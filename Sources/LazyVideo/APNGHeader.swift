internal import LazyMedia

/// What FFmpeg does not tell of an APNG.
enum APNGHeader {
    /// The number of plays in `acTL` (PNG specification, 11.3.6.1), or nil without one.
    static func plays(_ bytes: any ByteSource) throws(MediaError) -> Int? {
        var position = 8
        while true {
            var head = [UInt8](repeating: 0, count: 16)
            let got = try read(bytes, at: position, into: &head)
            guard got == head.count else { return nil }
            let kind = head[4..<8]
            if kind.elementsEqual("acTL".utf8) { return number(head[12..<16]) }
            if kind.elementsEqual("IDAT".utf8) { return nil }
            position += 12 + number(head[0..<4])
        }
    }

    private static func read(
        _ bytes: any ByteSource, at offset: Int, into head: inout [UInt8]
    ) throws(MediaError) -> Int {
        let result = head.withUnsafeMutableBytes { buffer in
            Result { () throws(MediaError) -> Int in try bytes.read(at: offset, into: buffer) }
        }
        return try result.get()
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
