internal import LazyBase
internal import LazyMedia
internal import LazyPipeline

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

    /// The files of a list, a pattern or a folder, which are one animation; nil for other inputs.
    func list(_ reading: Reading) throws(CommandFailure) -> MediaOpening.List? {
        guard case .path(let path) = address else { return nil }
        do throws(MediaError) {
            guard
                let list = try FrameList(
                    path, joinsFolders: reading.pictures.joinsFolders, without: leftOut,
                    limits: reading.limits(for: self))
            else { return nil }
            let parts = list.entries.enumerated().map { place, entry in
                entry.part(
                    duration: reading.pictures.duration(at: place, own: entry.duration))
            }
            return MediaOpening.List(parts, loop: list.loop, warnings: list.warnings)
        } catch {
            throw failure(error)
        }
    }

    /// The parts of a joined input; what is no plain file is opened first.
    func joined(_ reading: Reading) async throws(CommandFailure) -> MediaOpening.List {
        var parts: [MediaOpening.List.Part] = []
        var plain = reading
        plain.pictures.delays = []
        for (place, input) in self.parts.enumerated() {
            let duration = reading.pictures.duration(at: place, own: nil)
            if case .path(let path) = input.address, FileKind(path) == .file,
                !FrameList.isList(path), reading.track == .main
            {
                parts.append(FrameList.Entry(path: path).part(duration: duration))
            } else {
                let opened = try await input.open(plain)
                parts.append(.init(input.label, .opened(opened.frames), duration: duration))
            }
        }
        return MediaOpening.List(parts)
    }
}

extension FrameList.Entry {
    /// The file as a part of one animation.
    fileprivate func part(duration: MediaTime) -> MediaOpening.List.Part {
        .init(
            path, .file(named: path) { () throws(MediaError) in try bytes() }, duration: duration)
    }
}
