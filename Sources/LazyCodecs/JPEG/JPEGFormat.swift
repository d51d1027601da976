internal import CJPEG
package import LazyMedia

extension MediaFormat {
    /// JPEG by libjpeg-turbo.
    package static let jpeg = MediaFormat(
        name: "jpeg", types: [.jpeg], signatures: [.bytes([0xFF, 0xD8, 0xFF], .jpeg)],
        decoders: [JPEGDecoder()],
        encoders: [
            EncoderFactory(
                still: .jpeg,
                FormatTraits(
                    canAnimate: false, alpha: .none, side: 65_500,
                    defaultQuality: DefaultQuality.jpeg)
            ) { (options) throws(MediaError) in try JPEGEncoder(options) }
        ],
        preview: .scans,
        libraries: {
            [
                InstalledLibrary(
                    name: "libjpeg-turbo", version: String(cString: cjpeg_library_version()),
                    license: "IJG, BSD-3-Clause and zlib", purpose: "JPEG")
            ]
        })
}

extension JPEGEncoder {
    /// Makes an encoder of quality 80 unless another one is given.
    ///
    /// From effort 5 on, which is the default, the file is progressive, which is some percent
    /// smaller; where that effort is asked for and it is not, as for tiny pictures, it is not progressive. From quality 90 on colors keep their full resolution.
    fileprivate init(_ options: EncodingOptions) throws(MediaError) {
        if options.lossless == true {
            throw MediaError(.notWritable, "JPEG does not bring pixels back exactly.")
        }
        let quality = options.quality ?? DefaultQuality.jpeg
        self.init(
            quality: Int(min(max(quality, 1), 100).rounded()),
            isProgressive: (options.effort ?? 5) >= 5, triesBoth: (options.effort ?? 0) >= 5,
            isFullColor: quality >= 90,
            background: options.background ?? .white)
    }
}
