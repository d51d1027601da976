internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading
internal import LazyMedia

// For playlists, whose segments are the media.
extension LoadNode {
    /// The job of a stream if the bytes are its playlist, else nil; loads the other playlists that it needs.
    func streamJob(
        _ data: LoadedData, for request: ImageRequest
    ) async throws(PipelineError) -> DecodeJob? {
        guard let load = configuration.unlimitedLoadRequest(for: request), request.hasBytes,
            let kind = await kind(of: data.blob)
        else { return nil }
        let playlist: [UInt8]
        do throws(SystemError) {
            playlist = try await BlockingPool.disk.run { () throws(SystemError) in
                try data.blob.bytes(
                    at: 0, count: min(data.blob.count, StreamLoader.maxPlaylist))
            }
        } catch {
            throw PipelineError(error.mediaError("read", "the playlist"))
        }
        let flag = unit.flag
        let stream = try await inStage(.loading, isOutsideQueue: request.skipsQueue) {
            () async throws(PipelineError) -> StreamOpening in
            do throws(MediaError) {
                return try await StreamOpening(
                    kind, playlist, load,
                    at: StreamPlace(
                        data.head?.url ?? load.url, isPrivate: data.head?.isPrivate ?? false),
                    size: request.streamSize,
                    loader: pipeline.ownLoader(for: request) ?? configuration.dataLoader,
                    limits: configuration.limits,
                    maximumBytes: configuration.maximumResponseDataSize, flag)
            } catch {
                throw PipelineError(error)
            }
        }
        return DecodeJob(stream, of: data.blob, for: request, flag: unit.flag, head: data.head)
    }

    private func kind(of blob: Blob) async -> StreamKind? {
        if let bytes = blob.bytesInMemory {
            return StreamKind(head: Array(bytes.prefix(StreamKind.headSize)))
        }
        let head = await BlockingPool.disk.run {
            try? blob.bytes(at: 0, count: min(blob.count, StreamKind.headSize))
        }
        return head.flatMap { StreamKind(head: $0) }
    }
}
