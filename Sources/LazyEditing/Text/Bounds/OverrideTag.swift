/// A tag between braces, such as `\fs20` or `\pos(1,2)`, read as libass reads it.
struct OverrideTag {
    let name: String
    /// What is in the parentheses, or behind the name.
    let arguments: [ArraySlice<UInt8>]
    /// Whether the last argument consists of tags, as in `\t(0,100,\fs20)`.
    let hasTags: Bool

    /// Reads the tag behind a backslash, and moves behind it; nil for one that libass ignores.
    init?(_ block: inout ArraySlice<UInt8>) {
        block = block.drop { $0.isScriptSpace }
        let end = block.firstIndex { $0 == .opening || $0 == .backslash } ?? block.endIndex
        let word = block[..<end].trimmed
        block = block[end...]
        var arguments: [ArraySlice<UInt8>] = []
        var hasTags = false
        if block.first == .opening, !word.isEmpty {
            block = block.dropFirst()
            (arguments, hasTags) = Self.arguments(&block)
        }
        guard let name = Self.name(of: word) else { return nil }
        let rest = word.dropFirst(name.utf8.count).trimmed
        if !Self.lists.contains(name) { arguments.append(rest) }
        self.name = name
        self.arguments = arguments.filter { !$0.isEmpty }
        self.hasTags = hasTags
    }

    /// What parentheses contain: tags reach to the first closing one, whatever is opened in them.
    private static func arguments(
        _ block: inout ArraySlice<UInt8>
    ) -> (arguments: [ArraySlice<UInt8>], hasTags: Bool) {
        var arguments: [ArraySlice<UInt8>] = []
        while true {
            block = block.drop { $0.isScriptSpace }
            var end =
                block.firstIndex { $0 == .comma || $0 == .backslash || $0 == .closing }
                ?? block.endIndex
            if end < block.endIndex, block[end] == .comma {
                // No tag has more than seven.
                if arguments.count < 8 { arguments.append(block[..<end].trimmed) }
                block = block[(end + 1)...]
                continue
            }
            let hasTags = end < block.endIndex && block[end] == .backslash
            end = block[end...].firstIndex(of: .closing) ?? block.endIndex
            arguments.append(block[..<end].trimmed)
            block = block[end...].dropFirst()
            return (arguments, hasTags)
        }
    }

    /// The tags that have their arguments only in parentheses.
    static let lists: Set<String> = ["t", "clip", "iclip", "pos", "move", "org", "fad", "fade"]

    /// The tags of libass; of two that fit, the longer one is meant.
    private static let names = [
        "xbord", "ybord", "xshad", "yshad", "alpha", "iclip", "blur", "fscx", "fscy", "bord",
        "move", "fade", "clip", "shad", "fax", "fay", "fsc", "fsp", "frx", "fry", "frz", "pos",
        "fad", "org", "pbo", "fs", "fr", "fn", "fe", "an", "1c", "2c", "3c", "4c", "1a", "2a",
        "3a", "4a", "be", "kt", "kf", "ko", "a", "b", "c", "i", "k", "K", "p", "q", "r", "s", "t",
        "u",
    ]
    private static let bytes = names.map { Array($0.utf8) }

    private static func name(of word: ArraySlice<UInt8>) -> String? {
        zip(names, bytes).first { word.starts(with: $1) }?.0
    }
}
