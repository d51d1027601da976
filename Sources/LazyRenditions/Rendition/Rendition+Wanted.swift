internal import LazyEditing
public import LazyMedia

extension Rendition {
    /// What media is opened for, so that no more of it is loaded.
    public struct Wanted: Hashable, Sendable {
        /// What is done with it.
        public enum Use: Hashable, Sendable {
            /// The metadata is read.
            case facts
            /// One picture is made.
            case picture(PosterChoice)
            /// Some of the frames are taken: of long streams, only their segments are loaded.
            case samples
            /// Frames are shown in order while they arrive, and those after seeking.
            case playing
            /// All frames are taken in order, each as soon as it is there.
            case everything
            /// All frames are there at once.
            case all
            /// The bytes are read, beside what they say; they are not followed where they are a playlist.
            case bytes
        }

        /// What is done with it.
        public var use: Use
        /// The size of the pictures, by which a variant of a stream is chosen; nil for the largest.
        public var size: TargetSize?
        /// The track.
        public var track: MediaTrack

        /// Makes a description.
        public init(_ use: Use, size: TargetSize? = nil, track: MediaTrack = .main) {
            self.use = use
            self.size = size
            self.track = track
        }
    }

    /// What must be opened for it.
    public var wanted: Wanted {
        let use: Wanted.Use =
            switch kind {
            case .facts: .facts
            // A track of subtitles is read from its beginning to its end.
            case .poster(let choice):
                edit.overlays.contains(where: \.isOfTrack) ? .all : .picture(choice)
            case .animation, .sheet: .samples
            case .conversion: .all
            case .loop: .bytes
            case .frames: .everything
            }
        return Wanted(use, size: pictureSize, track: reading.track)
    }

    /// The size of its pictures where none is asked for: that of the kind.
    private var pictureSize: TargetSize? {
        switch kind {
        case .facts, .poster, .conversion, .loop, .frames: edit.wantedSize
        case .animation: edit.wantedSize ?? Animation.usualSize
        case .sheet: edit.size ?? Sheet.usualTile
        }
    }
}

extension ClipEdit {
    fileprivate var wantedSize: TargetSize? { size ?? placement?.sizeHint }
}
