internal import LazyBase
public import LazyMedia

extension Rendition {
    /// One of the files that a rendition has.
    public enum Part: Hashable, Sendable, CustomStringConvertible {
        /// The only one, or the first one.
        case main
        /// A page of a sheet that has several, from 0.
        case page(Int)
        /// One of its frames.
        case frame(Frame)
        /// What describes the pages of a sheet, or frames.
        case index(Index)

        /// The word for it: `main`, `page-1` and `frame-1` for the first, `vtt`, `json`, `framehash`, `chapters`.
        public var description: String {
            switch self {
            case .main: "main"
            case .page(let number): "page-\(number + 1)"
            case .frame(let frame): "frame-\(frame.position + 1)"
            case .index(let index): index.rawValue
            }
        }
    }

    /// Where the parts of a rendition go: files, standard output, memory.
    ///
    /// Frames are opened, written and finished by several threads at once, unless they are sequential.
    public protocol Sinks: Sendable {
        /// Called once it is known which parts there will be, before any is decoded; throws where they cannot be written.
        ///
        /// Only for kinds whose number of parts follows from the source; frames are not named.
        func willMake(_ parts: [Part], as type: MediaType) throws(MediaError)
        /// Whether a part is finished before the next one is opened, in their order.
        var isSequential: Bool { get }
        /// What a part is called in an index.
        func name(of part: Part, in index: Index) -> String
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

extension Rendition {
    /// The type of a part, as far as it follows from what is asked for: nil where it is that of the source.
    package func type(of part: Part, by encoders: EncoderRegistry) -> MediaType? {
        if case .index(let index) = part { return index.type }
        switch kind {
        case .facts: return .json
        case .poster: return output.type ?? .png
        case .animation: return encoders.type(output.type ?? .webpAnimation, isAnimation: true)
        case .conversion(let conversion):
            return encoders.type(output.type ?? .webpAnimation, isAnimation: !conversion.isStill)
        case .loop: return nil
        case .sheet: return output.type ?? .jpeg
        case .frames(let frames): return frames.isListing ? nil : output.type ?? .png
        }
    }

    /// Sends the one part of a rendition to a sink.
    package struct OneSink: Sinks {
        private let sink: any Sink

        package init(_ sink: any Sink) { self.sink = sink }

        package func open(_ part: Part, as type: MediaType) -> any Sink { sink }
    }
}

extension Rendition.Sinks {
    /// Any number of parts can be written.
    public func willMake(_ parts: [Rendition.Part], as type: MediaType) {}
    /// Frames may be written at once.
    public var isSequential: Bool { false }
    /// The word of the part.
    public func name(of part: Rendition.Part, in index: Rendition.Index) -> String {
        part.description
    }
}

extension Rendition.Sink {
    /// Receives bytes of an array.
    func write(_ bytes: [UInt8]) throws(MediaError) {
        try bytes.withBytes { (bytes) throws(MediaError) in try write(bytes) }
    }
}

extension Rendition.Index {
    /// What the file is.
    var type: MediaType {
        switch self {
        case .vtt, .chapters: .webVTT
        case .json: .json
        case .framehash: .text
        }
    }
}

extension MediaType {
    /// WebVTT, which indexes a sheet.
    static let webVTT = MediaType(
        name: "vtt", title: "WebVTT", mimeType: "text/vtt", family: .unknown,
        fileExtensions: ["vtt"])
    /// Lines of text.
    static let text = MediaType(
        name: "text", title: "Text", mimeType: "text/plain", family: .unknown,
        fileExtensions: ["txt"])
    /// JSON.
    static let json = MediaType(
        name: "json", title: "JSON", mimeType: "application/json", family: .unknown,
        fileExtensions: ["json"])
}
