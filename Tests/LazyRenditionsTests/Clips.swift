import LazyCodecs
import LazyMedia
import LazyVideo
import Support

/// The clips of `media/`, opened.
enum Clips {
    static let registry = DecoderRegistry(
        formats: [.gif, .png] + MediaFormat.video)

    static func open(_ name: String) throws -> FrameSequence {
        FrameSequence(try registry.open(FileBytes(path: Media.path(name)), limits: .local))
    }

    static func frames(_ sequence: FrameSequence) async throws -> [Frame] {
        var frames: [Frame] = []
        for try await frame in sequence.frames() { frames.append(frame) }
        return frames
    }
}
