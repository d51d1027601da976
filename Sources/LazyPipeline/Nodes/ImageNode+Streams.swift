internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading
internal import LazyMedia

// For playlists, whose segments are the media.
extension ImageNode {
    /// The job of a stream if the bytes are its playlist, else nil; loads the other playlists that it needs.
    func streamJob(_ data: LoadedData) async throws(PipelineError) -> DecodeJob? {
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

extension ImageRequest {
    /// The size of the pictures that are wanted of a stream: that of the thumbnail, or of the user's value.
    var streamSize: TargetSize? { userInfo[.streamSize] as? TargetSize ?? thumbnail?.size }

    /// The poster that is going to be made of a stream, if it is known.
    var streamPoster: PosterChoice? {
        if case .poster(let choice) = selection { return choice }
        return userInfo[.streamPoster] as? PosterChoice
    }
}

extension UserInfoKey {
    /// The size of the pictures (`TargetSize`) by which a variant of a stream is chosen, if that is not the thumbnail's.
    package static let streamSize = UserInfoKey("lazyimg/streamSize")

    /// The poster (`PosterChoice`) that will be made of the frames of a stream, so that only its segment is loaded.
    package static let streamPoster = UserInfoKey("lazyimg/streamPoster")
}
