internal import LazyMedia
public import LazyRenditions

extension MediaOpening {
    /// What media is opened for, so that no more is loaded.
    public typealias Wanted = Rendition.Wanted
}

extension MediaOpening.Wanted.Use {
    /// Whether less than all bytes may be enough.
    var isPartial: Bool {
        switch self {
        case .facts, .picture, .playing, .everything: true
        case .samples, .all, .bytes: false
        }
    }

    /// Whether ranges of a file at a server may be enough.
    var mayReadRanges: Bool { isPartial || self == .samples }

    /// Whether it ends with what the first pictures are read for.
    var isGlance: Bool {
        switch self {
        case .facts, .picture: true
        case .samples, .playing, .everything, .all, .bytes: false
        }
    }

    /// The poster that is made, if that is all.
    var poster: PosterChoice? {
        if case .picture(let choice) = self { choice } else { nil }
    }

    /// What is waited for in a body without a known length.
    var arriving: ArrivingOpening.Use {
        switch self {
        case .facts: .facts
        case .picture(let choice): .poster(choice)
        case .samples, .playing, .everything, .all, .bytes: .playing
        }
    }
}
