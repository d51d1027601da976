internal import LazyBase
public import LazyBatch
public import LazyMedia

extension Gallery {
    /// Opens the file of an item.
    public typealias Opening =
        @Sendable (GallerySource) async throws(BatchFailure) -> FrameSequence

    /// The work for one file; its outputs are in a folder of its own, below `items` in the site.
    public func item(
        for source: GallerySource, opening: @escaping Opening
    ) -> BatchItem<GalleryItem> {
        let record = path("items/\(source.id)/\(GalleryItem.recordName)")
        return BatchItem(
            input: BatchInput(path: source.path), outputs: [record], options: options
        ) { (overwrites, progress) async throws(BatchFailure) in
            // A folder that another program has made is not touched.
            if !overwrites, FileKind(record) != .nothing, Self.readItem(record) == nil {
                throw BatchFailure(
                    .outputExists, "exists", "\(record) exists already and is no item of a gallery."
                )
            }
            do throws(BatchFailure) {
                return try await make(source, opening, progress)
            } catch {
                ItemFolder.discardUnfinished(path("items/" + source.id))
                throw error
            }
        }
    }

    private func make(
        _ source: GallerySource, _ opening: Opening,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(BatchFailure) -> GalleryItem {
        let sequence = try await opening(source)
        do throws(MediaError) {
            return try await ItemMaking(
                gallery: self, source: source, sequence: sequence, progress: progress
            ).run()
        } catch {
            throw BatchFailure(error)
        }
    }

    /// The work for one file, opened with the standard limits by a function of the caller.
    public func item(
        for source: GallerySource, limits: DecodingLimits = .local, decoders: DecoderRegistry
    ) -> BatchItem<GalleryItem> {
        item(for: source) { (source) async throws(BatchFailure) in
            do throws(MediaError) {
                let bytes = try FileBytes(name: source.path.systemPath, label: source.path)
                return FrameSequence(try decoders.open(bytes, limits: limits), limits: limits)
            } catch {
                throw BatchFailure(error)
            }
        }
    }

    /// The item of a record on disk, or nil where there is none.
    static func readItem(_ path: String) -> GalleryItem? {
        guard let bytes = try? FileBytes(name: path.systemPath, label: path),
            let text = try? bytes.contiguous().withBytes({ String(decoding: $0, as: UTF8.self) })
        else { return nil }
        return GalleryItem(record: text)
    }
}

extension BatchFailure {
    /// What an error of one input means for the run.
    init(_ error: MediaError) {
        let effect: Effect =
            if error.code == .cancelled {
                .cancelled
            } else if error.code == .decoderKilled {
                .disturbed
            } else if MediaError.Code.ofSongs.contains(error.code) {
                .hasNothing
            } else if error.underlying is FileError {
                .endsRun
            } else {
                .failsItem
            }
        self.init(
            effect, error.code.rawValue, error.message,
            underlying: error.underlying as? FileError ?? error)
    }
}
