import FoundationEssentials
import LazyMedia
import Testing

@testable import LazyService

/// The rows of a file of `Data`, whose first line names the columns.
struct Table {
    /// A row: its values by the names of the columns.
    struct Row: Sendable, CustomTestStringConvertible {
        let values: [String: String]

        subscript(_ column: String) -> String { values[column] ?? "" }

        var id: String { self["id"] }
        var testDescription: String { "\(id) \(self["options"])" }

        func size(_ width: String, _ height: String) -> PixelSize {
            PixelSize(width: Int(self[width]) ?? 0, height: Int(self[height]) ?? 0)
        }
    }

    let rows: [Row]

    init(_ name: String) {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let data = (try? Data(contentsOf: folder.appending(path: "Data/\(name).tsv"))) ?? Data()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) } }
        let names = lines.first ?? []
        rows = lines.dropFirst().map { line in
            Row(values: Dictionary(zip(names, line)) { first, _ in first })
        }
    }
}

extension OptionRules {
    /// Reads the options of a row.
    func options(_ text: String) throws(ServiceError) -> ServiceOptions {
        // A dash stands for none.
        try read(text == "-" ? "/plain/local:///x" : "/\(text)/plain/local:///x").0
    }
}
