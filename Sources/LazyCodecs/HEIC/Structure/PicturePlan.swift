internal import LazyMedia

/// How a picture comes about: a coded picture, or a recipe with the pictures that it takes.
struct PicturePlan: Sendable {
    /// The size before the view is applied.
    let size: PixelSize
    let content: Content
    /// What of it is shown.
    var view: PictureView
    /// What its properties say about its samples.
    var color = ColorDescription()
    /// The bits of a sample.
    let depth: Int
    /// The codec of the first coded picture in it.
    let codec: PictureCodec
    /// The picture whose samples are the alpha of this one; at most one.
    var alpha: [PicturePlan] = []
    /// Whether its colors are multiplied by alpha.
    var isPremultiplied = false

    enum Content: Sendable {
        case coded(CodedItem)
        case grid(GridRecipe, [PicturePlan])
        case overlay(OverlayRecipe, [PicturePlan])
        /// Another picture as it is; one element.
        case same([PicturePlan])
    }

    /// The layout of the samples of HEVC in FFmpeg's terms, such as `yuv420p10le`, or nil for other codecs.
    var pixelFormat: String? {
        guard let item = firstItem, item.codec == .hevc, item.configuration.count > 17 else {
            return nil
        }
        let names = ["gray", "yuv420p", "yuv422p", "yuv444p"]
        return names[Int(item.configuration[16] & 3)] + (depth > 8 ? "\(depth)le" : "")
    }

    private var firstItem: CodedItem? {
        switch content {
        case .coded(let item): item
        case .grid(_, let pictures), .overlay(_, let pictures), .same(let pictures):
            pictures.first?.firstItem
        }
    }

    /// The size in which it is shown.
    var shown: PixelSize { view.size }

    /// Whether pixels may be transparent.
    var hasAlpha: Bool {
        if !alpha.isEmpty { return true }
        switch content {
        case .coded: return false
        case .grid(_, let tiles): return tiles.contains(where: \.hasAlpha)
        case .overlay(let recipe, _): return recipe.background.w < 255
        case .same(let pictures): return pictures.contains(where: \.hasAlpha)
        }
    }

    /// Whether its more than 8 bits a sample can be kept; overlays are mixed in 8.
    var isDeep: Bool { depth > 8 && isOfTiles && alpha.allSatisfy(\.isOfTiles) }

    /// Whether it is a coded picture, or a grid of nothing but such.
    private var isOfTiles: Bool {
        switch content {
        case .coded: true
        case .grid(_, let tiles): tiles.allSatisfy { $0.plainItem != nil }
        case .overlay: false
        case .same(let pictures): pictures[0].alpha.isEmpty && pictures[0].isOfTiles
        }
    }

    /// The coded picture, where it is nothing but one that is shown as it is.
    var plainItem: CodedItem? {
        guard case .coded(let item) = content, alpha.isEmpty, view.isPlain(size) else { return nil }
        return item
    }
}

/// A coded picture and how it is decoded.
struct CodedItem: Sendable {
    let item: HEIFItem
    let codec: PictureCodec
    let configuration: [UInt8]
    let size: PixelSize
}
