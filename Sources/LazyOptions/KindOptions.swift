public import ArgumentParser
public import LazyMedia
internal import LazyRenditions

/// Which kinds of media are used of the files in folders.
public struct KindOptions: ParsableArguments, Sendable {
    @Option(
        help: .init(
            "Of the files in folders, use those of some kinds only: video, animation, image, audio, separated by commas. May be repeated.",
            valueName: "kinds"),
        completion: .list(MediaKind.allCases.map(\.rawValue)),
        transform: { try MediaKind.list.parse($0) })
    package var kind: [[MediaKind]] = []

    /// Makes options of which none is given.
    public init() {}

    /// The families of formats; nil for all.
    public var families: Set<MediaType.Family>? {
        kind.isEmpty ? nil : Set(kind.joined().compactMap(\.family))
    }

    /// The options as words, for another program that takes the same ones.
    var words: [String] {
        kind.isEmpty ? [] : ["--kind", MediaKind.list.text(Array(kind.joined()))]
    }
}

/// The kinds of media as people call them.
package enum MediaKind: String, CaseIterable, Sendable {
    case video, animation, image, audio

    /// The family of formats, or nil where this version reads none.
    var family: MediaType.Family? {
        self == .image ? .still : MediaType.Family(rawValue: rawValue)
    }

    /// `video,animation`.
    static let list = Words.choice(MediaKind.self, "the kinds are")
        .list("the kinds are \(allCases.map(\.rawValue).joined(separator: ", "))", samples: [])
}
