internal import LazyBase
public import LazyMedia

extension Rendition {
    /// One of the files that a rendition has.
    public enum Part: Hashable, Sendable, CustomStringConvertible {
        /// The only one, or the first one.
        case main

        /// The word for it: `main`.
        public var description: String {
            switch self {
            case .main: "main"
            }
        }
    }

    /// Where the parts of a rendition go: files, standard output, memory.
    public protocol Sinks: Sendable {
        /// Opens the sink of a part; throws where it cannot be written.
        func open(_ part: Part, as type: MediaType) throws(MediaError) -> any Sink
    }

    /// Receives the bytes of one part in order, from one thread at a time.
    public protocol Sink: AnyObject, Sendable {
        /// Receives bytes, which are valid during the call only; may wait for a disk, never for a reader.
        func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError)
        /// Ends the part, which is complete; not called where making it has failed.
        func finish() throws(MediaError)
    }
}
