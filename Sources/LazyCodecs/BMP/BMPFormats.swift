package import LazyMedia

extension MediaFormat {
    /// Windows and OS/2 bitmaps, as browsers read them.
    package static let bmp = MediaFormat(
        name: "bmp", types: [.bmp], signatures: [.text("BM", .bmp)], decoders: [BMPDecoder()],
        isCompressed: false)

    /// Windows icons and cursors, of which the largest picture counts, as in browsers.
    ///
    /// Pictures in PNG are decoded by a decoder from elsewhere.
    package static func ico(decodedBy pictures: any MediaDecoding) -> MediaFormat {
        MediaFormat(
            name: "ico", types: [.ico],
            signatures: [
                // The same beginning as that of MPEG-4 video, which has a start code where the numbers are.
                .bytes([0, 0, 1, 0], .ico) { bytes in
                    guard let start = bytes.bigEndian32(at: 4) else { return .needsBytes(8) }
                    return .known(start >> 8 == 1 ? .unknown : .ico)
                },
                // The same beginning as that of a TGA, which has zeros where the number of cursors is.
                .bytes([0, 0, 2, 0], .ico) { bytes in
                    guard let low = bytes.byte(at: 4), let high = bytes.byte(at: 5),
                        let reserved = bytes.byte(at: 9)
                    else { return .needsBytes(10) }
                    return .known((low > 0 || high > 0) && reserved == 0 ? .ico : .unknown)
                },
            ],
            decoders: [ICODecoder(pictures)], isCompressed: false)
    }
}
