public import LazyMedia

extension Words {
    /// `webp`, `avif`, `jpg`: one of some types, by its name or its usual file extension in any case.
    ///
    /// Where two have the same extension, as stills and animations, it means the first of them.
    public static func type(among types: [MediaType]) -> Grammar<MediaType> {
        let read = { @Sendable (text: String) in
            let word = text.lowercased()
            return types.first { $0.name == word }
                ?? types.first { $0.fileExtensions.first == word }
        }
        let print = { @Sendable (type: MediaType) in
            type.fileExtensions.first.flatMap { read($0) == type ? $0 : nil } ?? type.name
        }
        let words = types.map(print)
        return Grammar(
            "the types are \(words.joined(separator: ", "))", words: words, shape: "[A-Za-z0-9-]+",
            samples: words + types.map(\.name), read: read, print: print)
    }
}
