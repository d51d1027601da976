internal import LazyBase
internal import LazyMedia

/// The files of a site apart from those of its items.
struct SitePages {
    let gallery: Gallery
    let items: [GalleryItem]

    /// Items of one data file, and of one part of the grid.
    ///
    /// Divisible by every number of columns that the style sheet has.
    static let chunk = 60

    /// The names of the files and their text.
    var files: [(name: String, text: String)] {
        let others =
            [("gallery.css", PageAssets.style), ("gallery.js", PageAssets.script)]
            + [("icon.svg", PageAssets.icon)] + data
        // Browsers keep files of one address; with the version they load those that changed.
        var digest = SHA256()
        for (_, text) in others { digest.update(Array(text.utf8)) }
        let version = String(digest.finish().hexadecimal().prefix(8))
        return [("index.html", page(version))] + others
    }

    private func page(_ version: String) -> String {
        let values = [
            "version": version,
            "title": gallery.title, "count": String(items.count), "chunk": String(Self.chunk),
            "formats": gallery.posterTypes.compactMap(\.fileExtensions.first)
                .joined(separator: " "),
        ]
        return HTMLTemplate(PageAssets.page).text(values)
    }

    private var data: [(name: String, text: String)] {
        // An empty page asks for its first file too.
        stride(from: 0, to: max(1, items.count), by: Self.chunk).map { first in
            let rows = items[first..<min(items.count, first + Self.chunk)].map {
                Self.scriptText($0.json.line)
            }
            let number = first / Self.chunk + 1
            let text = "gallery.add(\(number), [\n" + rows.joined(separator: ",\n") + "\n]);\n"
            return ("data/\(number).js", text)
        }
    }

    /// JSON that stays data wherever it stands: nothing in it ends a script element or a line.
    static func scriptText(_ json: String) -> String {
        var text = ""
        for scalar in json.unicodeScalars {
            switch scalar {
            case "<", ">", "&", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

/// A text with places such as `{{title}}`.
struct HTMLTemplate {
    private let template: String

    init(_ template: String) { self.template = template }

    /// The text with values in their places, escaped for text and for attributes in quotation marks.
    func text(_ values: [String: String]) -> String {
        // Values are not searched for places: a title may hold any of them.
        var text = ""
        var rest = template[...]
        while let start = rest.firstRange(of: "{{") {
            text += rest[..<start.lowerBound]
            let after = rest[start.upperBound...]
            guard let end = after.firstRange(of: "}}") else { break }
            text += Self.escaped(values[String(after[..<end.lowerBound])] ?? "")
            rest = after[end.upperBound...]
        }
        return text + rest
    }

    /// The text with `&`, `<`, `>` and both quotation marks escaped.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
