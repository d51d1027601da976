internal import CGTK
internal import LazyKit

/// Prints what the window shows as JSON, one object a line, for scripts and tests.
enum Trace {
    static func line(_ page: String, item: ViewerItem?, position: Int, _ state: PlayerState)
        -> String
    {
        var fields = ["\"page\":\"\(page)\"", "\"position\":\(position)"]
        if let item { fields.append("\"item\":\(quoted(item.name))") }
        fields.append("\"phase\":\"\(state.phase)\"")
        if let frame = state.frame { fields.append("\"frame\":\(frame)") }
        if let count = state.frameCount { fields.append("\"frames\":\(count)") }
        fields.append("\"playing\":\(state.isPlaying)")
        fields.append("\"rate\":\(state.rate)")
        fields.append("\"zoom\":\(state.zoom)")
        fields.append("\"turns\":\(state.quarterTurns)")
        return "{" + fields.joined(separator: ",") + "}\n"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
