internal import LazyBase
internal import LazyMedia

extension OpenedVideo {
    func videoTrack(
        _ number: Int, _ cancellation: CancellationFlag
    ) throws(MediaError) -> any OpenedMedia {
        guard !stream.isStill else {
            guard number == 1 else { throw .noTrack(number, of: 1) }
            return self
        }
        return try VideoOpening(
            bytes: bytes, type: header.type, limits: limits, container: stream.container,
            track: number, warnings: header.warnings.filter { $0 == JoinedMovie.warning }
        ).open()
    }
}
