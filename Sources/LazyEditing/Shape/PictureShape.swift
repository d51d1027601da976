public import LazyMedia

/// What is done to every picture of a sequence before it is scaled, in this order.
public struct PictureShape: Hashable, Sendable {
    /// Whether black bars around the picture are removed.
    ///
    /// The bars are judged over 24 frames of the whole clip: an edge is cut only where the picture
    /// begins with a sharp line and the opposite edge has a bar as well, so that dark pictures stay.
    public var trimsBars: Bool
    /// Edges of one color that are removed; nil for none.
    package var edges: EdgeTrim?
    /// Whether stills lie as their file stores them, not as it says that they are shown.
    package var liesAsStored = false
    /// The part that is kept.
    public var crop: CropRegion?
    /// Degrees clockwise; corners are transparent where it is no multiple of 90.
    public var rotation: Double
    /// Whether it is mirrored left to right after the rotation.
    public var isMirrored: Bool
    /// Whether it is turned upside down after the rotation, as in a mirror below it.
    public var isFlipped: Bool

    /// Makes a shape; without arguments nothing changes.
    public init(
        trimsBars: Bool = false, crop: CropRegion? = nil, rotation: Double = 0,
        isMirrored: Bool = false, isFlipped: Bool = false
    ) {
        self.trimsBars = trimsBars
        self.crop = crop
        self.rotation = rotation
        self.isMirrored = isMirrored
        self.isFlipped = isFlipped
    }

    /// The shape in one line, or nil where it changes nothing.
    package var identifier: String? {
        let words = [
            liesAsStored ? "stored" : nil, edges.map { "edges=\($0)" }, trimsBars ? "trim" : nil,
            crop.map { "crop=\($0)" },
            rotation == 0 ? nil : "rotate=\(rotation)", isMirrored ? "mirror" : nil,
            isFlipped ? "flip" : nil,
        ].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: "/")
    }
}

/// A part of a picture, which must lie inside it.
///
/// A part that does not is an error: neither its size nor its place is changed silently.
public enum CropRegion: Hashable, Sendable, CustomStringConvertible {
    /// A rectangle.
    case rect(PixelRect)
    /// A size, placed by the gravity.
    case size(PixelSize)
    /// The largest part of a ratio of width to height, placed by the gravity.
    case ratio(Int, Int)

    /// The region as `320x240+10+20`, `320x240` or `16:9`.
    public var description: String {
        switch self {
        case .rect(let rect): "\(rect)"
        case .size(let size): "\(size)"
        case .ratio(let across, let down): "\(across):\(down)"
        }
    }

    /// The part of a picture; throws `.notWritable` where it does not lie inside.
    package func part(
        of whole: PixelSize, _ gravity: Gravity = .center
    ) throws(MediaError) -> PixelRect {
        if case .rect(let rect) = self { return try inside(rect, whole) }
        let size = size(in: whole)
        guard size.width <= whole.width, size.height <= whole.height else { throw misfit(whole) }
        return Framing.crop(size, of: whole, gravity)
    }

    /// A rectangle that is inside a picture.
    private func inside(_ rect: PixelRect, _ whole: PixelSize) throws(MediaError) -> PixelRect {
        guard (1...whole.width).contains(rect.width), (1...whole.height).contains(rect.height)
        else { throw misfit(whole) }
        guard rect.clipped(to: whole) != rect else { return rect }
        let near = PixelRect(
            x: min(max(0, rect.x), whole.width - rect.width),
            y: min(max(0, rect.y), whole.height - rect.height), width: rect.width,
            height: rect.height)
        throw MediaError(
            .notWritable,
            "The part \(rect) is not inside the picture of \(whole); the nearest one is \(near).")
    }

    private func misfit(_ whole: PixelSize) -> MediaError {
        MediaError(.notWritable, "The part \(self) does not fit into the picture of \(whole).")
    }

    /// The size of the part of a picture.
    func size(in whole: PixelSize) -> PixelSize {
        switch self {
        case .rect(let rect): return rect.size
        case .size(let size): return size
        case .ratio(let across, let down):
            let wanted = Double(max(1, across)) / Double(max(1, down))
            let width = min(Double(whole.width), (Double(whole.height) * wanted).rounded())
            let height = min(Double(whole.height), (Double(whole.width) / wanted).rounded())
            return PixelSize(width: max(1, Int(width)), height: max(1, Int(height)))
        }
    }

    /// Whether the gravity places it.
    var needsGravity: Bool { if case .rect = self { false } else { true } }
}

/// A border of one color around pictures, which is added after they are scaled.
public struct Padding: Hashable, Sendable {
    /// How far it reaches.
    public enum Extent: Hashable, Sendable, CustomStringConvertible {
        /// This many pixels on each side.
        case border(Int)
        /// Up to a size; a side that is longer already stays.
        case size(PixelSize)
        /// Up to a ratio of width to height.
        case ratio(Int, Int)

        /// The extent as `20`, `640x480` or `16:9`.
        public var description: String {
            switch self {
            case .border(let width): "\(width)"
            case .size(let size): "\(size)"
            case .ratio(let across, let down): "\(across):\(down)"
            }
        }
    }

    /// How far it reaches; the picture is in the middle.
    public var extent: Extent
    /// Its color, which may be transparent.
    public var color: PixelColor

    /// Makes a border, black by default.
    public init(_ extent: Extent, color: PixelColor = .black) {
        self.extent = extent
        self.color = color
    }

    /// The padding in one word.
    package var identifier: String { "\(extent)/\(color)" }

    /// The size of a padded picture; throws `.notWritable` for one that no format has.
    package func canvas(of size: PixelSize) throws(MediaError) -> PixelSize {
        let (width, height) = sides(of: size)
        let most = Double(1 << 24)
        guard width < most, height < most,
            let canvas = PixelSize(checking: Int(width), Int(height))
        else {
            throw MediaError(.notWritable, "A picture of \(size) cannot be padded to \(extent).")
        }
        return canvas
    }

    private func sides(of size: PixelSize) -> (Double, Double) {
        let (width, height) = (Double(size.width), Double(size.height))
        switch extent {
        case .border(let border): return (width + 2 * Double(border), height + 2 * Double(border))
        case .size(let wanted):
            return (max(width, Double(wanted.width)), max(height, Double(wanted.height)))
        case .ratio(let across, let down):
            let ratio = Double(max(1, across)) / Double(max(1, down))
            return (
                max(width, (height * ratio).rounded()), max(height, (width / ratio).rounded())
            )
        }
    }
}
