internal import LazyMedia

/// How browsers play an input.
struct PlayableMedia {
    /// What is in the folder of the item.
    enum Way: Equatable {
        /// The file as it is.
        case original(fileExtension: String)
        /// A conversion.
        case converted(MediaType)
    }

    let way: Way

    /// Decides by the type and the codec; `kind` is what the item is.
    ///
    /// What is edited is converted.
    init(_ info: MediaInfo, kind: GalleryItem.Kind, isEdited: Bool = false) {
        let ending = kind == .film ? Self.film(info) : Self.picture(info.type)
        if let ending, !isEdited {
            way = .original(fileExtension: ending)
        } else {
            switch kind {
            case .film: way = .converted(.mp4)
            case .animation: way = .converted(.webpAnimation)
            case .still: way = .converted(.webp)
            }
        }
    }

    // Servers and browsers tell the type from the extension: an APNG is known as PNG.
    private static func picture(_ type: MediaType) -> String? {
        let shown: [MediaType] = [
            .gif, .png, .webp, .webpAnimation, .avif, .avifSequence, .jpeg, .bmp, .ico,
        ]
        if type == .apng { return "png" }
        return shown.contains(type) ? type.fileExtensions.first : nil
    }

    private static func film(_ info: MediaInfo) -> String? {
        switch info.type {
        case .mp4, .m4v, .mov:
            let isShown =
                info.codec == "h264" ? isEightBit(info) : ["vp9", "av1"].contains(info.codec)
            return isShown ? "mp4" : nil
        case .webm: return ["vp8", "vp9", "av1"].contains(info.codec) ? "webm" : nil
        default: return nil
        }
    }

    // No browser decodes H.264 with more than 8 bits or with other chroma than 4:2:0.
    private static func isEightBit(_ info: MediaInfo) -> Bool {
        info.pixelFormat.map { ["yuv420p", "yuvj420p"].contains($0) } ?? true
    }
}
