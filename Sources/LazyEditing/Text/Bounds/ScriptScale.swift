internal import LazyMedia

/// The size that a script is written for, and that of the picture.
struct ScriptScale: Hashable {
    /// The size in pixels of the script.
    var width = 384.0
    var height = 288.0
    let picture: PixelSize
    /// Whether the script says for what film it was made.
    private(set) var hasLayout = false
    /// Pixels of the picture for one of that film, and by how much it is wider.
    private var layout = 1.0
    private var stretch = 1.0

    init(picture: PixelSize) { self.picture = picture }

    /// Takes the size that a script says, as libass does where one side is missing.
    mutating func set(width: Double?, height: Double?) {
        switch (width, height) {
        case (nil, nil): break
        case (let width?, nil):
            (self.width, self.height) = (width, width == 1280 ? 1024 : width * 3 / 4)
        case (nil, let height?):
            (self.width, self.height) = (height == 1024 ? 1280 : height * 4 / 3, height)
        case (let width?, let height?): (self.width, self.height) = (width, height)
        }
    }

    /// Takes the size of the film that a script was made for, unless its shape is quite another.
    mutating func set(layoutWidth: Double, height: Double) {
        let ratio = layoutWidth / height * Double(picture.height) / Double(picture.width)
        guard (0.5...2).contains(ratio) else { return }
        hasLayout = true
        stretch = max(ratio, 1 / ratio)
        layout = Double(picture.height) / height
    }

    /// Pixels of the picture for one of the script.
    var factor: Double {
        max(Double(picture.height) / height, Double(picture.width) / width) * stretch
    }

    /// The same for borders and blurs, which scripts may also measure in pixels of the film.
    var edgeFactor: Double { max(1, factor, layout * stretch) }

    /// The values that are drawn of a tag or a field of a style.
    func range(of name: String) -> ClosedRange<Double>? {
        switch name {
        case "fs", "fontsize": 0...ScriptBounds.fontSize * height
        case "fscx", "fscy", "scalex", "scaley": ScriptBounds.scale
        case "fsp", "spacing": -width...width
        case "bord", "xbord", "ybord", "outline": 0...ScriptBounds.border * height
        case "shad", "xshad", "yshad", "shadow": -height...height
        case "blur": 0...min(ScriptBounds.blur, ScriptBounds.border * height)
        case "be": ScriptBounds.edgePasses
        case "fax", "fay": ScriptBounds.shear
        default: nil
        }
    }
}
