internal import LazyBase
internal import LazyEditing
internal import LazyMedia

/// Where scenes begin: frames that show something else than the ones before them, from one frame to the next.
///
/// A cut is a jump of luma that stands out from the usual change, together with other tones, so that a pan, a flash
/// and fast motion are none. Fades are none either: no frame of them begins a scene.
enum SceneCuts {
    /// A frame's differences from the one before it, each 0 to 1.
    struct Step: Sendable {
        let luma: Float
        let tones: Float

        init(_ frame: FrameFeatures, since other: FrameFeatures?) {
            luma = other.map { frame.difference($0) } ?? 0
            tones = other.map { frame.toneDifference($0) } ?? 0
        }
    }

    /// The places of cuts; the first step is none.
    static func places(_ steps: [Step]) -> [Int] {
        let sorted = steps.map(\.luma).sorted()
        let usual = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        return steps.indices.dropFirst().filter { place in
            let step = steps[place]
            return step.luma > max(0.06, 4 * usual) && step.tones > 0.2
                || step.luma > 0.25 && step.tones > 0.35
        }
    }

    /// The numbers of the frames that begin a scene, with the first one of the part.
    ///
    /// Decodes all frames of the part, small. Keeps a few bytes of each.
    static func starts(
        in sequence: FrameSequence, _ part: ClipPart, progress: @escaping @Sendable (Double) -> Void
    ) async throws(MediaError) -> [Int] {
        let length = sequence.info.duration
        return try await sequence.cancellable { (flag) throws(MediaError) in
            let sampler = FrameSampler(
                sequence, size: FrameFeatures.readSize(of: sequence.info.size))
            let reader = try sampler.makeReader(flag)
            if part.start > .zero { try reader.seek(toTime: part.start) }
            var (steps, numbers): ([Step], [Int]) = ([], [])
            var last: FrameFeatures?
            reading: while let frame = try reader.nextFrame() {
                switch part.relation(of: frame.timing) {
                case .before: continue
                case .after: break reading
                case .inside: break
                }
                let features = try FrameFeatures(frame)
                steps.append(Step(features, since: last))
                numbers.append(frame.index)
                last = features
                if let length, length > .zero, frame.index % 64 == 0 {
                    progress(min(1, frame.presentationTime / length))
                }
            }
            guard let first = numbers.first else {
                throw MediaError(.notFound, "The requested range contains no frame.")
            }
            return [first] + places(steps).map { numbers[$0] }
        }
    }
}
