internal import LazyMedia
internal import LazyRenditions

/// The names of the files that frames of one input become.
struct FrameNames: Sendable {
    /// The names of frames.
    var pattern: NamePattern
    /// The running number of the first one.
    var startNumber = 0
    /// Whether files of several inputs are in one folder, so that lists have the input's name.
    var isShared = false
    // Read once: a path is split for them.
    private let name: String
    private let fileExtension: String
    private let number: Int

    /// Makes the names for an input.
    init(_ pattern: NamePattern, for input: Input) {
        self.pattern = pattern
        (name, fileExtension) = (input.address.name, input.address.fileExtension)
        number = input.number
    }

    /// The name of a frame.
    func frame(_ frame: Rendition.Frame) -> String {
        pattern(
            NamedFrame(
                number: startNumber + frame.position, index: frame.sourceIndex,
                presentation: frame.timing.presentation, duration: frame.timing.duration,
                size: frame.size, name: name, fileExtension: fileExtension, input: number))
    }

    /// The name of a list of frames.
    func list(_ index: Rendition.Index) -> String {
        let base = "frames.\(index.rawValue)"
        guard isShared else { return base }
        return pattern.tellsInputsApart(byName: false)
            ? "\(number)-\(name)-\(base)" : "\(name)-\(base)"
    }
}
