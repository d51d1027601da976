/// What a service allows and adds to the options of paths.
struct OptionRules: Sendable {
    /// What stands between an option and its arguments.
    var separator: Character = ":"
    /// Options by the name of their set; `default` counts for every path, and each option of a path counts more.
    var presets: [String: [[String]]] = [:]
    /// Whether a path has names of presets in place of options.
    var allowsOnlyPresets = false
    /// The options that a path may have, presets aside; nil for all.
    var allowed: Set<String>?
    /// Whether bounds of sources may be set by a path.
    var allowsBounds = false
    /// Whether the last part of an encoded source is a name for people.
    var endsWithFileName = false

    static let bounds: Set<String> = ["msr", "msfs", "maf", "mafr", "mrd"]
    private static let oldTypes: Set<Substring> = ["fit", "fill", "fill-down", "force", "auto"]

    /// Adds the preset of a line of a file: `name=option:…/option:…`; nothing for an empty line or a comment.
    mutating func addPreset(_ line: String) throws(ServiceError) {
        let line = line.trimmed
        if line.isEmpty || line.hasPrefix("#") { return }
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].trimmed
        guard parts.count == 2, !name.isEmpty, !parts[1].isEmpty else {
            throw ServiceError(
                500, "A preset is written as name=option:…/option:…, not as \(line).")
        }
        var options: [[String]] = []
        for part in parts[1].trimmed.split(separator: "/", omittingEmptySubsequences: false) {
            let words = words(of: part)
            guard words.count > 1 else {
                throw ServiceError(500, "In the preset \(name), \(part) has no argument.")
            }
            options.append(words)
        }
        presets[name] = options
    }

    /// Throws where a preset does not say what options may say.
    func checkPresets() throws(ServiceError) {
        for name in presets.keys.sorted() {
            var options = ServiceOptions()
            try apply(preset: name, to: &options)
        }
    }

    private func words(of part: Substring) -> [String] {
        part.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
    }

    // MARK: - Reading a path

    /// The options and the source of a path behind its signature.
    func read(_ path: String) throws(ServiceError) -> (ServiceOptions, SourceText) {
        let path = path.hasPrefix("/") ? path.dropFirst() : path[...]
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)[...]
        var options = ServiceOptions()
        if presets["default"] != nil { try apply(preset: "default", to: &options) }
        if allowsOnlyPresets {
            let names = parts.popFirst().map(words(of:)) ?? []
            for name in names { try apply(preset: name, to: &options) }
        } else {
            if let first = parts.first, Self.oldTypes.contains(first) {
                throw ServiceError(
                    404, "Paths that begin with \(first) are of an old form; write rs:\(first):….")
            }
            while let part = parts.first {
                let words = words(of: part)
                guard words.count > 1 else { break }
                try apply(words, to: &options, isOfPath: true)
                parts.removeFirst()
            }
        }
        guard !parts.isEmpty, parts != [""] else { throw ServiceError(404, "There is no source.") }
        let source = try SourceText(parts, endsWithFileName: endsWithFileName)
        if let ending = source.ending {
            guard let format = ServiceFormat(ending: ending) else {
                throw ServiceError(404, "The extension \(ending) is not known.")
            }
            options.format = format
        }
        return (options, source)
    }

    private func apply(preset name: String, to options: inout ServiceOptions) throws(ServiceError) {
        guard let preset = presets[name] else {
            throw ServiceError(404, "The preset \(name) is not known.")
        }
        // One that is on the way already would never end.
        guard !options.presets.contains(name) else { return }
        options.presets.append(name)
        for words in preset { try apply(words, to: &options, isOfPath: false) }
    }

    private func apply(
        _ words: [String], to options: inout ServiceOptions, isOfPath: Bool
    ) throws(ServiceError) {
        guard let form = OptionForms.form(words[0]) else {
            throw ServiceError(404, "The option \(words[0]) is not known.")
        }
        if isOfPath, let allowed, !allowed.contains(form.name) {
            throw ServiceError(404, "The option \(words[0]) is not allowed.")
        }
        if isOfPath, !allowsBounds, Self.bounds.contains(form.name) {
            throw ServiceError(403, "The option \(words[0]) is not allowed here.")
        }
        let list = Array(words.dropFirst())
        guard form.arguments.contains(list.count) else {
            throw ServiceError(404, "The option \(words[0]) has another number of arguments.")
        }
        if form.name == "pr" {
            for name in list { try apply(preset: name, to: &options) }
        } else {
            try options.set(form.name, list)
        }
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? endIndex
        return start < end ? String(self[start..<end]) : ""
    }
}
