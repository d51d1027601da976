internal import LazyBase
internal import LazyEditing
internal import LazyKit
internal import LazyMedia

extension Input {
    /// Several inputs as one, whose frames follow each other; it has the name of the first.
    init?(joining parts: [Input]) {
        guard let first = parts.first else { return nil }
        self.init(first: first, parts: parts)
    }

    /// Whether it is a file with one picture, as its first bytes say.
    var isPicture: Bool {
        guard case .path(let path) = address, FileKind(path) == .file else { return false }
        return FolderFilter.family(of: path) == .still
    }

    /// Opens the files of a list, a pattern or a folder as one animation; nil for other inputs.
    ///
    /// Blocks while the headers of all files are read.
    func openList(_ reading: Reading) throws(CommandFailure) -> OpenedInput? {
        guard case .path(let path) = address else { return nil }
        let (limits, decoders) = (reading.limits(for: self), reading.listDecoders)
        do throws(MediaError) {
            guard
                let list = try FrameList(
                    path, joinsFolders: reading.pictures.joinsFolders, without: leftOut,
                    limits: limits)
            else { return nil }
            let parts = list.entries.enumerated().map { place, entry in
                JoinedPart(
                    entry.path,
                    duration: reading.pictures.duration(at: place, own: entry.duration)
                ) { () throws(MediaError) in
                    try Self.sequence(try entry.bytes(), limits, decoders)
                }
            }
            let joined = try JoinedMedia(
                parts, loop: list.loop, warnings: list.warnings, limits: limits,
                cancellation: Interruption.flag)
            return OpenedInput(sequence: FrameSequence(joined, limits: limits), transfer: nil)
        } catch {
            throw failure(error)
        }
    }

    /// Opens the parts of a joined input, those at servers first.
    func openJoined(_ reading: Reading) async throws(CommandFailure) -> OpenedInput {
        var parts: [JoinedPart] = []
        var plain = reading
        plain.pictures.delays = []
        let decoders = reading.listDecoders
        for (place, input) in self.parts.enumerated() {
            let duration = reading.pictures.duration(at: place, own: nil)
            if case .path(let path) = input.address, FileKind(path) == .file,
                !FrameList.isList(path), reading.track == .main
            {
                let limits = reading.limits(for: input)
                parts.append(
                    JoinedPart(path, duration: duration) { () throws(MediaError) in
                        let entry = FrameList.Entry(path: path)
                        return try Self.sequence(try entry.bytes(), limits, decoders)
                    })
            } else {
                let opened = try await input.open(plain)
                parts.append(JoinedPart(input.label, duration: duration, opened.sequence))
            }
        }
        let limits = reading.limits(for: self)
        do throws(MediaError) {
            let joined = try JoinedMedia(parts, limits: limits, cancellation: Interruption.flag)
            return OpenedInput(sequence: FrameSequence(joined, limits: limits), transfer: nil)
        } catch {
            throw failure(error)
        }
    }
}
