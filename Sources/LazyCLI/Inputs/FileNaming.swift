internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading

/// The file name of a download.
enum FileNaming {
    /// The name from the server (RFC 6266), else the end of the URL, else `download`.
    static func name(url: URL, headers: HTTPHeaders) -> String {
        let said = headers["Content-Disposition"].flatMap(fileName(inDisposition:))
        return said.flatMap(safe) ?? safe(RemoteAddress.fileName(of: url)) ?? "download"
    }

    /// A name without folders and invisible characters, and not too long; nil if nothing remains.
    static func safe(_ name: String) -> String? {
        let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
        var visible: [Unicode.Scalar] = []
        for scalar in last.unicodeScalars where !isInvisible(scalar) {
            // Spaces look alike or are invisible: they become single plain ones.
            let isSpace = scalar.properties.isWhitespace
            if !isSpace {
                visible.append(scalar)
            } else if visible.last != " " {
                visible.append(" ")
            }
        }
        // A leading full stop hides a file, a leading hyphen makes it an option of another command, and a
        // combining mark would combine with the text before the name.
        let front = visible.drop { $0 == "." || $0 == "-" || $0 == " " || isMark($0) }
        var safe = String(String.UnicodeScalarView(front))
        while let last = safe.last, last == " " || last == "." { safe.removeLast() }
        return safe.isEmpty ? nil : shortened(safe)
    }

    /// Whether a scalar is invisible or only changes others: controls, directions,
    /// joiners, fillers, tags, and unassigned scalars.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isDefaultIgnorableCodePoint { return true }
        switch scalar.properties.generalCategory {
        case .control: return !scalar.properties.isWhitespace || scalar.value < 0x20
        case .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            return true
        default:
            // The blank of Braille looks like a space, but does not have its properties.
            return scalar.value == 0x2800
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }

    // File systems allow 255 bytes; the extension is kept.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > 200 else { return name }
        let dot = name.lastIndex(of: ".")
        let ending = dot.map { String(name[$0...]) } ?? ""
        let kept = ending.utf8.count <= 16 ? ending : ""
        var stem = name.dropLast(kept.count)
        while stem.utf8.count + kept.utf8.count > 200 { stem.removeLast() }
        return stem + kept
    }

    /// The `filename*` or `filename` of a Content-Disposition.
    static func fileName(inDisposition value: String) -> String? {
        var plain: String?
        for (name, value) in parameters(of: value) {
            if name == "filename*", let decoded = extended(value) { return decoded }
            if name == "filename", plain == nil { plain = value }
        }
        return plain
    }

    // RFC 8187: charset'language'percent-encoded.
    private static func extended(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return PercentEncoding.text(parts[2])
    }

    private static func parameters(of value: String) -> [(String, String)] {
        var parameters: [(String, String)] = []
        var rest = value[...]
        rest = rest.drop { $0 != ";" }
        while rest.first == ";" {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let text = rest.first == "\"" ? quoted(&rest) : token(&rest)
            parameters.append((name.filter { $0 != " " }.lowercased(), text))
            rest = rest.drop { $0 != ";" }
        }
        return parameters
    }

    private static func token(_ rest: inout Substring) -> String {
        let token = rest.prefix { $0 != ";" }
        rest = rest.dropFirst(token.count)
        return String(token).trimmed
    }

    private static func quoted(_ rest: inout Substring) -> String {
        var text = ""
        rest = rest.dropFirst()
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\" else {
                text.append(character)
                continue
            }
            if let escaped = rest.popFirst() { text.append(escaped) }
        }
        return text
    }
}

extension String {
    /// The text without white space at both ends.
    var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
        let front = drop(while: isSpace)
        return String(front.reversed().drop(while: isSpace).reversed())
    }
}
