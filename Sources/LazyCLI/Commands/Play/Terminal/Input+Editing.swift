internal import LazyEditing
internal import LazyMedia
internal import LazyPipeline
internal import LazyRenditions

extension Input {
    /// Opens it as an edit shows it; with an edit, remote media is loaded whole unless its frames are taken in order.
    func open(
        _ reading: Reading, part: InputPart, _ edit: ClipEdit?
    ) async throws(CommandFailure) -> FrameSequence {
        guard let edit else { return try await open(reading, part: part).sequence }
        let sequence = try await open(
            reading, part: part == .everything ? .everything : .all, size: edit.size
        ).sequence
        do throws(MediaError) {
            return try await sequence.edited(edit.named(address.name))
        } catch {
            throw failure(error)
        }
    }
}
