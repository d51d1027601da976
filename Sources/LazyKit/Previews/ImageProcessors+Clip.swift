public import LazyEditing
public import LazyMedia
public import LazyPipeline
public import LazyRenditions

extension ImageProcessors {
    /// Cuts a clip to an animated thumbnail, or by an edit; stills have no times.
    ///
    /// The data cache keeps what comes out as an animation, so that a second load decodes neither
    /// the clip nor what the choice of pieces needs. A budget of bytes and the encoding do not
    /// matter here: the result is frames.
    public struct Clip: SequenceProcessing, Hashable {
        private enum Work: Hashable {
            case animation(Rendition)
            case edit(ClipEdit)
        }
        private let work: Work

        /// Makes a processor that chooses the best pieces; `edit` as in a rendition of that kind.
        public init(_ animation: Rendition.Animation, edit: ClipEdit = .init()) {
            work = .animation(.animation(animation, edit: edit))
        }

        /// Makes a processor of an edit.
        public init(_ edit: ClipEdit) { work = .edit(edit) }

        /// `lazyimg/animation` or `lazyimg/edit` with all that decides the frames.
        public var identifier: String {
            switch work {
            case .animation(let rendition): "lazyimg/\(rendition.identifier)"
            case .edit(let edit): "lazyimg/edit?\(edit.identifier)"
            }
        }

        /// The size of the frames.
        public func outputSize(for size: PixelSize) -> PixelSize {
            (try? edit.pictureSize(of: size)) ?? size
        }

        /// Edits one picture: all but times; bars and a smart gravity are judged by it alone.
        public func process(
            _ bitmap: Bitmap, context: ProcessingContext
        ) throws(ProcessingError) -> Bitmap {
            do throws(MediaError) { return try bitmap.edited(edit) } catch {
                throw ProcessingError(error.message, underlying: error)
            }
        }

        /// The edited sequence.
        public func process(_ sequence: FrameSequence) async throws(MediaError) -> FrameSequence {
            switch work {
            case .animation(let rendition):
                try await sequence.edited(rendition.animationPlan(for: sequence).edit)
            case .edit(let edit): try await sequence.edited(edit)
            }
        }

        private var edit: ClipEdit {
            switch work {
            case .animation(let rendition): rendition.edit
            case .edit(let edit): edit
            }
        }
    }
}

extension ImageProcessing where Self == ImageProcessors.Clip {
    /// Cuts a clip to its best parts: 3 seconds, at most 320 pixels wide, or so wide.
    public static func animatedThumbnail(
        _ animation: Rendition.Animation = .init(), width: Int? = nil
    ) -> Self {
        Self(animation, edit: ClipEdit(size: width.map { TargetSize(width: $0, fit: .scaleDown) }))
    }

    /// Cuts, times and sizes a clip.
    public static func edited(_ edit: ClipEdit) -> Self { Self(edit) }
}
