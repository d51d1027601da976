internal import LazyBase

/// Files that are left out, which is no fault: how many, and the names of the first ones.
struct SkippedFiles {
    private(set) var count = 0
    private var names: [String] = []

    /// The most names that are said.
    private static let most = 3

    /// Makes a list of inputs.
    init(_ inputs: [Input] = []) { for input in inputs { add(input.label) } }

    /// Adds a file.
    mutating func add(_ name: String) {
        count += 1
        if names.count < Self.most { names.append(name) }
    }

    /// `1 file is not media and was skipped: notes.txt.`; `one` and `many` say why.
    func sentence(_ one: String, _ many: String) -> String {
        let files =
            count == 1 ? "1 file \(one) and was skipped" : "\(count) files \(many) and were skipped"
        let more = count > names.count ? " and \(count - names.count) more" : ""
        return "\(files): \(names.map(\.shown).joined(separator: ", "))\(more)."
    }
}
