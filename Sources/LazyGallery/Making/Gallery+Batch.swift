internal import Glibc
internal import LazyBase
public import LazyBatch
public import LazyMedia
public import LazyPipeline
internal import LazyRenditions

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
            if !overwrites, FileKind(record) != .nothing, try !Self.isItem(record) {
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

    /// The work for one file; limits, and the process that decodes, follow from the trust.
    public func item(
        for source: GallerySource, opening: MediaOpening, trust: MediaOpening.Trust
    ) -> BatchItem<GalleryItem> {
        item(for: source) { (source) async throws(BatchFailure) in
            do throws(PipelineError) {
                return try await opening.open(.path(source.path), for: .init(.all), trust: trust)
                    .frames
            } catch {
                throw BatchFailure(error.asMediaError)
            }
        }
    }

    /// The item of a record on disk, or nil where there is none.
    ///
    /// A record that cannot be read is an error: without it the page would lose its item.
    static func readItem(_ path: String) throws(FileError) -> GalleryItem? {
        do throws(MediaError) {
            let bytes = try FileBytes(name: path.systemPath, label: path).contiguous()
            return GalleryItem(record: bytes.withBytes { String(decoding: $0, as: UTF8.self) })
        } catch {
            let reason = error.underlying as? SystemError ?? SystemError(code: EIO)
            guard reason.code == ENOENT || reason.code == ENOTDIR else {
                throw FileError(reading: path, reason)
            }
            return nil
        }
    }

    private static func isItem(_ record: String) throws(BatchFailure) -> Bool {
        do throws(FileError) { return try readItem(record) != nil } catch {
            throw BatchFailure(
                .failsItem, "environment", error.description, underlying: error)
        }
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
