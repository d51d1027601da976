internal import CJXL
internal import LazyMedia

/// The memory that libjxl writes samples to, and their conversion to RGBA8, or RGBA16 as it comes.
final class SampleBuffers {
    private let size: PixelSize
    private let black: Int?
    private let converter: ColorConverter?
    /// Whether rows are of RGBA16, which libjxl writes itself.
    private let keepsDepth: Bool
    /// Samples of 16 bits, where they are converted, or empty.
    private let deep: UnsafeMutableBufferPointer<UInt16>
    /// Black ink, or empty.
    private let ink: UnsafeMutableBufferPointer<UInt8>

    init(_ header: JXLHeader, _ converter: ColorConverter?, keepsDepth: Bool) {
        self.keepsDepth = keepsDepth
        size = header.size
        black = header.color.black
        self.converter = converter
        let isDeep = Self.isDeep(header.color, converter)
        deep = .allocate(capacity: isDeep ? header.size.pixelCount * 4 : 0)
        ink = .allocate(capacity: black == nil ? 0 : header.size.pixelCount)
    }

    deinit {
        deep.deallocate()
        ink.deallocate()
    }

    /// The bytes that the buffers of a picture take.
    static func byteCount(_ header: JXLHeader, _ converter: ColorConverter?) -> Int {
        let deep = isDeep(header.color, converter) ? header.size.rgbaByteCount * 2 : 0
        return deep + (header.color.black == nil ? 0 : header.size.pixelCount)
    }

    /// Lossy pictures are not of 8 bits before they are rounded.
    private static func isDeep(_ color: JXLColor, _ converter: ColorConverter?) -> Bool {
        converter != nil && color.black == nil && (color.bitDepth > 8 || color.isXYB)
    }

    /// Lets libjxl write to the buffers; where nothing is converted, to the rows themselves.
    func lend(
        _ rows: UnsafeMutableRawBufferPointer, to handle: JXLDecoderHandle
    ) throws(MediaError) {
        let target = deep.isEmpty ? rows : UnsafeMutableRawBufferPointer(deep)
        var format = JxlPixelFormat(
            num_channels: 4,
            data_type: deep.isEmpty && !keepsDepth ? JXL_TYPE_UINT8 : JXL_TYPE_UINT16,
            endianness: JXL_NATIVE_ENDIAN, align: 0)
        let (jxl, decoder) = (handle.jxl, handle.decoder)
        var needed = 0
        try handle.check(jxl.pointee.JxlDecoderImageOutBufferSize(decoder, &format, &needed))
        guard needed == target.count else {
            throw MediaError(.malformed, "The JPEG XL changes its size on the way.")
        }
        // What is missing of a truncated picture is transparent.
        target.initializeMemory(as: UInt8.self, repeating: 0)
        try handle.check(
            jxl.pointee.JxlDecoderSetImageOutBuffer(
                decoder, &format, target.baseAddress, target.count))
        guard let black else { return }
        var plane = JxlPixelFormat(
            num_channels: 1, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
        ink.update(repeating: 255)
        try handle.check(
            jxl.pointee.JxlDecoderSetExtraChannelBuffer(
                decoder, &plane, ink.baseAddress, ink.count, UInt32(black)))
    }

    /// Converts what libjxl wrote to rows of RGBA8.
    func finish(_ rows: UnsafeMutableRawBufferPointer) {
        guard converter != nil || black != nil,
            let pixels = rows.assumingMemoryBound(to: UInt32.self).baseAddress
        else { return }
        let width = size.width
        for start in stride(from: 0, to: size.pixelCount, by: width) {
            if black != nil {
                convertInks(pixels + start, start, width)
            } else if let samples = deep.baseAddress, !deep.isEmpty {
                converter?.convert(deep: samples + start * 4, into: pixels + start, count: width)
            } else {
                converter?.convert(pixels + start, into: pixels + start, count: width)
            }
        }
    }

    /// Converts a row of inverted cyan, magenta, yellow, and alpha; black is in its own plane.
    private func convertInks(_ row: UnsafeMutablePointer<UInt32>, _ start: Int, _ width: Int) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: width) { inks in
            guard let target = inks.baseAddress else { return }
            for x in 0..<width { target[x] = row[x] & 0xFF_FFFF | UInt32(ink[start + x]) << 24 }
            if let converter {
                converter.convert(target, into: target, count: width)
            } else {
                for x in 0..<width { target[x] = Self.withoutProfile(target[x]) }
            }
            for x in 0..<width { row[x] = target[x] & 0xFF_FFFF | row[x] & 0xFF00_0000 }
        }
    }

    /// Each color times black, as browsers show CMYK without a profile.
    private static func withoutProfile(_ inks: UInt32) -> UInt32 {
        let black = inks >> 24
        return [0, 8, 16].reduce(0) { $0 | ((inks >> $1 & 255) * black / 255) << $1 }
    }
}
