internal import LazyBase
internal import LazyEditing
public import LazyMedia

extension Rendition {
    /// Opened media, of which a rendition is made.
    public struct Source: Sendable {
        /// Its frames, in the colors that are wanted.
        public var frames: FrameSequence
        /// The name of its file, for texts in pictures.
        public var name: String
        /// Its bytes; nil where they are not known.
        public var byteCount: Int?
        /// Whether all of its times can be read without loading it from a network.
        public var isLocal: Bool
        /// Whether frames can be counted: not those of a stream that is loaded while it is read, or has no end.
        public var isCountable = true
        /// Its bytes, of which a loop is made.
        public var bytes: (any ByteSource)?
        /// What changes the loop in files of its type.
        public var rewriter: (any MediaRewriting)?
        /// The name as an index of a sheet has it; nil for `name`.
        package var label: String?
        /// The name of the file with its extension, for the heading of a sheet; nil for `name`.
        package var fileName: String?
        /// What a PNG says of the file, as thumbnails do.
        package var texts: [(key: String, value: String)] = []

        /// Makes a source of opened media.
        public init(
            _ frames: FrameSequence, name: String = "", byteCount: Int? = nil, isLocal: Bool = true
        ) {
            self.frames = frames
            self.name = name
            self.byteCount = byteCount
            self.isLocal = isLocal
        }
    }

    /// What makes it, beside the source.
    struct Tools: Sendable {
        let encoders: EncoderRegistry
        let threads: Int
        let progress: @Sendable (Double) -> Void
        /// Receives what was decided, before anything is encoded.
        let decided: @Sendable (Report) -> Void
    }

    /// What was made.
    public struct Report: Sendable {
        /// The rendition that was asked for.
        public var rendition: Rendition
        /// Its parts, the main one first; without frames, which may be thousands.
        public var parts: [Made]
        /// The size of pictures in pixels.
        public var size: PixelSize
        /// The number of pictures, as far as it is known; of a sheet that of its tiles.
        public var frameCount: Int?
        /// The duration of one play; nil for one picture, and where it is not known.
        public var duration: Duration?
        /// How often it plays; nil where the file does not say so.
        public var loop: LoopCount?
        /// What only this kind has.
        public var details: Details
        /// Losses of the format, and damage of the source.
        public var warnings: [MediaWarning]

        /// A part that was made.
        public struct Made: Hashable, Sendable {
            /// Which one.
            public var part: Part
            /// What it is.
            public var type: MediaType
            /// The number of its bytes.
            public var byteCount: Int

            package init(part: Part = .main, type: MediaType, byteCount: Int) {
                self.part = part
                self.type = type
                self.byteCount = byteCount
            }
        }

        /// What only one kind of rendition has.
        public enum Details: Sendable {
            /// The metadata.
            case facts(MediaInfo)
            /// The picture that was chosen.
            case poster(Poster)
            /// The segments that were chosen.
            case animation(Animation)
            /// The decisions behind a conversion.
            case conversion(Conversion)
            /// How often the source plays.
            case loop(before: LoopCount)
            /// The tiles of a sheet.
            case sheet(Sheet)
            /// The pictures of frames.
            case frames(Frames)
        }

        /// Makes a report of one part.
        package init(
            _ rendition: Rendition, _ main: Made, size: PixelSize, frameCount: Int? = 1,
            details: Details, warnings: [MediaWarning]
        ) {
            self.init(
                rendition, parts: [main], size: size, frameCount: frameCount, details: details,
                warnings: warnings)
        }

        /// Makes a report.
        package init(
            _ rendition: Rendition, parts: [Made], size: PixelSize, frameCount: Int?,
            details: Details, warnings: [MediaWarning]
        ) {
            self.rendition = rendition
            self.parts = parts
            self.size = size
            self.frameCount = frameCount
            self.details = details
            self.warnings = warnings
        }

        /// The bytes of all parts, and of all frames.
        public var byteCount: Int {
            let frames = if case .frames(let frames) = details { frames.byteCount } else { 0 }
            return parts.reduce(frames) { $0 + $1.byteCount }
        }
    }

    /// Makes it of a source; each part goes to a sink, which is finished when all of the part is there.
    ///
    /// Decodes what the kind needs; memory is bounded for any length. `threads` of 0 means one per core. `progress`
    /// receives the fraction that is done, 0 to 1, and `decided` a report without parts once what is made is chosen, so that
    /// it is known also where making it fails. Cancelling the task stops the work soon. Throws what `checked()`
    /// throws, `.notFound` for a picture that the source does not have, `.notWritable` for what the type cannot store,
    /// `.limitExceeded` where nothing fits its bound of bytes, and what decoding and sinks throw.
    public func make(
        of source: Source, into sinks: any Sinks, encoders: EncoderRegistry, threads: Int = 0,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        decided: @escaping @Sendable (Report) -> Void = { _ in }
    ) async throws(MediaError) -> Report {
        let asked = try checked()
        let located = try await asked.located(in: source.frames)
        var report = try await located.makeLocated(
            of: source, into: sinks,
            Tools(encoders: encoders, threads: threads, progress: progress, decided: decided))
        if located != asked { report.rendition = asked }
        // The first part of frames is their list.
        let main = report.parts.first { if case .index = $0.part { false } else { true } }
        let type = main?.type ?? asked.output.type ?? .png
        // What a platform decided was not asked for.
        report.warnings += unused(in: type, of: source.frames, encoders)
        if let warning = asked.shortenedCrossfade(in: report) { report.warnings.append(warning) }
        return report
    }

    /// A cross-fade takes at most half of the clip, and what remains is longer than it.
    private func shortenedCrossfade(in report: Report) -> MediaWarning? {
        guard let duration = report.duration, edit.crossfade > duration else { return nil }
        return MediaWarning(
            .reduced, "The cross-fade is shortened to half of the clip: \(duration.inSeconds).")
    }

    /// The same with the times of its sections.
    private func located(in frames: FrameSequence) async throws(MediaError) -> Rendition {
        guard !edit.sections.isEmpty else { return self }
        var located = self
        located.edit = try await frames.located(edit)
        if case .poster = kind, let part = located.edit.segments.first {
            (located.kind, located.edit.segments) = (.poster(.within(part)), [])
        }
        return located
    }

    private func makeLocated(
        of source: Source, into sinks: any Sinks, _ tools: Tools
    ) async throws(MediaError) -> Report {
        let asked = self
        switch kind {
        case .facts(let facts): return try await asked.makeFacts(facts, of: source, to: sinks)
        case .poster(let choice):
            return try await asked.makePoster(
                choice, of: source, into: sinks, encoders: tools.encoders)
        case .animation(let animation):
            return try await asked.makeAnimation(animation, of: source, to: sinks, tools)
        case .conversion(let conversion):
            return try await asked.makeConversion(conversion, of: source, to: sinks, tools)
        case .loop(let change):
            return try await asked.makeLoop(change, of: source, to: sinks, tools)
        case .sheet(let sheet):
            return try await asked.makeSheet(sheet, of: source, to: sinks, tools)
        case .frames(let frames):
            return try await asked.makeFrames(frames, of: source, to: sinks, tools)
        }
    }

    /// The bytes of all parts, in memory; otherwise as `make`.
    public func parts(
        of source: Source, encoders: EncoderRegistry, threads: Int = 0,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MediaError) -> (bytes: [Part: [UInt8]], report: Report) {
        let sinks = CollectedParts()
        let report = try await make(
            of: source, into: sinks, encoders: encoders, threads: threads, progress: progress)
        return (sinks.all, report)
    }

    /// The bytes of the first part, in memory; otherwise as `make`.
    public func data(
        of source: Source, encoders: EncoderRegistry, threads: Int = 0,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MediaError) -> (bytes: [UInt8], report: Report) {
        let (parts, report) = try await parts(
            of: source, encoders: encoders, threads: threads, progress: progress)
        return (report.parts.first.flatMap { parts[$0.part] } ?? [], report)
    }
}
