internal import LazyBase
internal import LazyEditing
internal import LazyKit
internal import LazyMedia
internal import LazyRenditions

extension PosterJob {
    /// Makes the thumbnails of a file in all sizes that are asked for.
    func makeThumbnails(of input: Input, isAlone: Bool) async throws(CommandFailure) -> JobReport {
        var all: JobReport?
        for size in thumbnails {
            var job = self
            job.edit.size = size.target
            let report = try await job.makeThumbnail(of: input, size, isAlone: isAlone)
            guard var sum = all else {
                all = report
                continue
            }
            sum.outputs += report.outputs
            sum.byteCount += report.byteCount
            if case .object(let members) = sum.json {
                sum.json = .object(
                    members.filter { $0.0 != "outputs" } + [("outputs", .names(sum.outputs))])
            }
            all = sum
        }
        guard let all else { throw .usage("No size of a thumbnail is named.") }
        return all
    }

    /// Makes the thumbnail of a file in the cache that desktops share; a valid one is
    /// left.
    ///
    /// Media without a possible thumbnail is recorded, and not tried again before it changes;
    /// temporary errors are not recorded.
    private func makeThumbnail(
        of input: Input, _ size: ThumbnailSize, isAlone: Bool
    ) async throws(CommandFailure) -> JobReport {
        let cache = ThumbnailCache.standard
        let source = try ThumbnailSource(input, cache)
        let path = cache.path(of: source.address, size)
        if overwrite == .never {
            if cache.isValid(path, for: source) { return .kept(path, of: input) }
            if cache.isValid(cache.failurePath(of: source.address), for: source) {
                throw CommandFailure(
                    .badData, "failedBefore", "An earlier attempt to make its thumbnail failed.",
                    hint: "Try again with --force."
                ).about(input.label)
            }
        }
        do throws(CommandFailure) {
            var wanted = rendition
            wanted.edit = edit
            let (opened, media) = try await open(input, wanted)
            let made: EditedPoster
            do throws(MediaError) {
                made = try await wanted.picture(of: media, as: .png, encoders: .standard)
            } catch {
                throw failure(error, input, opened, OutputTarget(path: path))
            }
            let count = try cache.write(made.bitmap, source.texts(opened.sequence.info), to: path)
            cache.removeFailure(of: source.address)
            wanted.output.type = .png
            let report = Rendition.Report(
                wanted, .init(type: .png, byteCount: count), size: made.bitmap.size,
                details: .poster(made.poster), warnings: opened.sequence.info.warnings)
            return self.report(
                report, input, OutputTarget(path: path), [(.main, path)], opened, isAlone: isAlone)
        } catch {
            if error.isForGood, source.isSettled(input) { cache.writeFailure(of: source) }
            throw error
        }
    }
}

extension CommandFailure {
    /// Whether the same bytes will fail again: damaged or unsupported media.
    ///
    /// Limits, libraries and permissions can change, and time-outs are temporary.
    fileprivate var isForGood: Bool {
        let codes: [MediaError.Code] = [
            .malformed, .truncated, .unsupported, .encrypted, .coverOnly, .noCover,
        ]
        return status == .badData && codes.contains { $0.rawValue == code }
    }
}
