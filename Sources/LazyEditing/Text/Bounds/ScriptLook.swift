/// What decides how large text is drawn, at one place of an event.
///
/// Lengths are in pixels of the script.
struct ScriptLook: Hashable {
    var fontSize = 18.0
    var scaleX = 100.0
    var scaleY = 100.0
    var spacing = 0.0
    var border = 0.0
    var shadow = 0.0
    var blur = 0.0
    var edgePasses = 0.0
    var shearX = 0.0
    var shearY = 0.0
    /// Degrees around the axis of sight.
    var angle = 0.0
    /// Whether it is turned out of the plane, which enlarges what comes nearer.
    var isTilted = false

    /// Sets a number of a tag; where it `isGradual`, all values up to it are drawn.
    mutating func set(_ tag: String, _ value: Double, isGradual: Bool) {
        func put(_ path: WritableKeyPath<ScriptLook, Double>) {
            let old = self[keyPath: path]
            self[keyPath: path] = isGradual && abs(old) > abs(value) ? old : value
        }
        switch tag {
        case "fs": put(\.fontSize)
        case "fscx": put(\.scaleX)
        case "fscy": put(\.scaleY)
        case "fsp": put(\.spacing)
        // The wider of both directions.
        case "bord": put(\.border)
        case "xbord", "ybord": border = max(border, value)
        case "shad": put(\.shadow)
        case "xshad", "yshad": shadow = max(abs(shadow), abs(value))
        case "blur": put(\.blur)
        case "be": put(\.edgePasses)
        case "fax": put(\.shearX)
        case "fay": put(\.shearY)
        case "fr", "frz": put(\.angle)
        case "frx", "fry": isTilted = isTilted || value != 0
        default: break
        }
    }
}
