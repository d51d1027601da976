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
                .bytes([0, 0, 1, 0], .ico),
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
