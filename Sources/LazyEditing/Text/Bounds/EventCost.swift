/// An estimate of what drawing an event costs: never less than the masks that libass makes.
struct EventCost {
    private let scale: ScriptScale
    var isWrapped: Bool
    /// Whether it is turned around a point that is far away, and so may come near.
    var isFar = false
    /// Equal events have equal masks, which libass makes once; colors and rectangles that clip do not count.
    var shape = Hasher()
    /// Whether its masks change with the time, so that equal ones that begin at other times have others.
    var isAnimated = false
    /// Bytes of the text with its tags.
    var text = 0
    private(set) var characters = 0
    private(set) var points = 0
    /// Bytes of masks.
    private(set) var bytes = 0.0

    // The run of equal look that is read, in pixels of the picture.
    private var width = 0.0
    private var height = 0.0
    private var widest = 0.0
    private var word = 0.0
    private var lines = 1.0

    init(_ scale: ScriptScale, isWrapped: Bool) {
        self.scale = scale
        self.isWrapped = isWrapped
    }

    /// Adds a character of the current run.
    mutating func add(_ look: ScriptLook, isBreak: Bool, isSpace: Bool) {
        characters += 1
        let (wide, high) = (look.fontSize * look.scaleX / 100, look.fontSize * look.scaleY / 100)
        let advance = (wide + abs(look.spacing) * max(1, look.scaleX / 100)) * scale.factor
        (width, height) = (width + advance, max(height, high * 1.4 * scale.factor))
        word = isSpace ? 0 : word + advance
        widest = max(widest, word)
        if isBreak {
            lines += 1
            word = 0
        }
        // Its own mask, and that of its border.
        let edge = 2 * look.border * scale.edgeFactor + 2
        let own = (wide * scale.factor + edge) * (high * 1.4 * scale.factor + edge)
        bytes += own * look.masks * tilt(look)
    }

    /// Adds a drawing, which is a run.
    mutating func add(_ drawing: ScriptDrawing, _ look: ScriptLook, scale halvings: Int) {
        points += drawing.pointCount
        let unit = scale.factor / Double(1 << (halvings - 1))
        width = drawing.width * unit * look.scaleX / 100
        height = drawing.height * unit * look.scaleY / 100
        (widest, lines) = (width, 1)
        let edge = 2 * look.border * scale.edgeFactor + 2
        bytes += (width + edge) * (height + edge) * look.masks * tilt(look)
        endRun(look)
    }

    /// Adds a mask that clips.
    mutating func add(clip: ScriptDrawing, scale halvings: Int) {
        points += clip.pointCount
        let unit = scale.factor / Double(1 << (halvings - 1))
        bytes += (clip.width * unit + 2) * (clip.height * unit + 2)
    }

    /// Adds the masks of a run: the text, its border and its shadow, and what blurring them takes.
    mutating func endRun(_ look: ScriptLook) {
        defer { (width, height, widest, word, lines) = (0, 0, 0, 0, 1) }
        guard width > 0 else { return }
        var row = width
        if isWrapped { row = min(width, max(widest, scale.width * scale.factor)) }
        let rows = max(lines, (width / max(row, 1)).rounded(.up))
        var (across, down) = (
            row + abs(look.shearX) * height, height + abs(look.shearY) * row
        )
        if look.angle != 0 || look.isTilted { (across, down) = (across + down, across + down) }
        // A blur of some standard deviations, and its passes over numbers of 16 bits.
        let blur = look.blur * scale.edgeFactor * 3.5 + look.edgePasses
        let edge = 2 * (look.border * scale.edgeFactor + blur) + 32
        bytes += rows * (across + edge) * (down + edge) * (look.masks + 1) * tilt(look)
    }

    /// Perspective enlarges by a factor of sixteen at most.
    private func tilt(_ look: ScriptLook) -> Double {
        guard look.isTilted else { return 1 }
        return isFar ? 256 : 4
    }
}

extension ScriptLook {
    /// Masks of one glyph: its own, that of its border, that of its shadow.
    fileprivate var masks: Double { 1 + (border > 0 ? 1 : 0) + (shadow != 0 ? 1 : 0) }

    /// Takes the value of a style.
    mutating func reset(_ tag: String, to style: ScriptLook) {
        switch tag {
        case "fscx": scaleX = style.scaleX
        case "fscy": scaleY = style.scaleY
        case "fsc": (scaleX, scaleY) = (style.scaleX, style.scaleY)
        case "fsp": spacing = style.spacing
        case "bord", "xbord", "ybord": border = max(border, style.border)
        case "shad", "xshad", "yshad": shadow = max(abs(shadow), abs(style.shadow))
        case "fr", "frz": angle = style.angle
        default: break
        }
    }
}
