internal import LazyBase
internal import LazyMedia

extension MediaEncoding {
    /// Encodes a container; nil if the format cannot represent it.
    func blob(of container: ImageContainer) async -> Blob? {
        let frames = container.frames
        let bytes = CollectedBytes()
        do throws(MediaError) {
            // The index counts frames that the header does not declare.
            let info = try await frames.detailedInfo()
            try await encode(frames.frames(), info: info, loop: info.loop) {
                (piece) throws(MediaError) in
                if bytes.append(piece) > Self.byteLimit {
                    throw MediaError(
                        .limitExceeded, "The encoded image is too large for the cache.")
                }
            }
        } catch {
            return nil
        }
        return Blob(bytes.all)
    }

    /// The maximum size of an encoded image in the cache.
    private static var byteLimit: Int { 64 << 20 }
}
