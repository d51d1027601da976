public import LazyMedia

/// One of several sequences that are shown one after the other.
package struct JoinedPart: Sendable {
    /// What errors call it: the name of a file, or empty.
    package let name: String
    /// How long it is shown if it is one picture; nil for the usual time.
    package let duration: MediaTime?
    /// Opens the sequence; called for planning, and again whenever its frames are read.
    package let open: @Sendable () throws(MediaError) -> FrameSequence

    /// Makes a part that is opened when it is needed, so that many parts hold no file open.
    package init(
        _ name: String, duration: MediaTime? = nil,
        open: @escaping @Sendable () throws(MediaError) -> FrameSequence
    ) {
        self.name = name
        self.duration = duration
        self.open = open
    }

    /// A part that is open already.
    package init(_ name: String = "", duration: MediaTime? = nil, _ sequence: FrameSequence) {
        self.init(name, duration: duration) { () throws(MediaError) in sequence }
    }

    /// How long a picture without a time is shown: a tenth of a second.
    package static let usualDuration = MediaTime(ticks: 1, base: Rational(1, 10))

    /// The sequence; errors name the part.
    func sequence() throws(MediaError) -> FrameSequence {
        do throws(MediaError) { return try open() } catch { throw named(error) }
    }

    /// An error with the name of the part in front, unless it has it.
    func named(_ error: MediaError) -> MediaError {
        guard !name.isEmpty, error.code != .cancelled, !error.message.contains(name) else {
            return error
        }
        return MediaError(
            error.code, "\(name): \(error.message)", excess: error.excess,
            underlying: error.underlying)
    }
}

extension MediaType {
    /// Frames that come from several files of different types, or from still pictures.
    public static let pictures = MediaType(
        name: "pictures", title: "Pictures", mimeType: "application/octet-stream",
        family: .animation)
}
