import LazyBase
import LazyEditing
import LazyKit
import LazyMedia
import Support
import Testing

@testable import LazyRenditions

/// Every field of a rendition × every format × a still and an animation of 16 × 16: it changes what is made, or is
/// refused, or something is said.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct FieldEffectTests {
    /// A field with a value, and what it needs beside it.
    struct Row: CustomStringConvertible, Sendable {
        let path: String
        let value: String
        var others: [String: String] = [:]
        var description: String { "\(path)=\(value)" }

        init(_ path: String, _ value: String, _ others: [String: String] = [:]) {
            (self.path, self.value, self.others) = (path, value, others)
        }

        /// A rendition with these members, and with the field or without.
        func rendition(_ kind: String, as type: MediaType?, isAsked: Bool) throws -> Rendition {
            var members = others
            if kind == "conversion", type?.family == .still { members["still"] = "true" }
            if isAsked { members[path] = value }
            if let type, members["output.type"] == nil {
                members["output.type"] = "\"\(type.name)\""
            }
            var (top, groups) = (["\"kind\": \"\(kind)\""], [String: [String]]())
            for (path, value) in members.sorted(by: { $0.key < $1.key }) {
                let names = path.split(separator: ".").map(String.init)
                guard names.count > 1 else {
                    top.append("\"\(path)\": \(value)")
                    continue
                }
                groups[names[0], default: []].append("\"\(names[1])\": \(value)")
            }
            for (name, members) in groups.sorted(by: { $0.key < $1.key }) {
                top.append("\"\(name)\": {\(members.joined(separator: ", "))}")
            }
            return try Rendition(json: "{\(top.joined(separator: ", "))}")
        }
    }

    /// Fields without a row: what the source has none of (edges to trim, an orientation, words, keyframes apart from
    /// others), what the opener of a file reads (track, colors, fields), the amount of work, the most segments, and
    /// what is a table of its own in `PlacementTests`.
    static let others: Set<String> = [
        "edit.trim", "edit.stored", "edit.edges", "edit.place", "keep", "keyframes", "precision",
        "track", "color", "tone",
        "deinterlace", "output.effort", "pieces",
    ]

    static let edits = [
        Row("edit.crop", "\"8x8+0+0\""),
        Row("edit.rotate", "90"), Row("edit.flip", "\"both\""),
        Row("edit.segments", "\"0.1-0.2\""),
        Row("edit.speed", "2"), Row("edit.fps", "\"5\""), Row("edit.maxFrames", "2"),
        Row("edit.reverse", "true"), Row("edit.bounce", "true"), Row("edit.crossfade", "\"0.05\""),
        Row("edit.size", "\"8x\""),
        Row("edit.gravity", "\"north\"", ["edit.size": "\"16x8^\""]),
        Row("edit.pad", "\"2\""), Row("edit.padColor", "\"#ff0000\"", ["edit.pad": "\"2\""]),
        Row("edit.overlays", #"[{"text": "A", "textSize": 50}]"#),
        Row("edit.matte", "\"#ff0000\""),
        Row("output.maxBytes", "60"), Row("output.for", "\"slack-emoji\""),
        Row("output.quality", "10"), Row("output.lossless", "\"true\""),
        Row("output.lossless", "\"false\""),
        Row("output.colors", "4"), Row("output.dither", "\"none\"", ["output.colors": "4"]),
        Row("output.palettes", "\"scene\"", ["output.colors": "8"]),
        Row("output.background", "\"#ff0000\""), Row("output.codec", "\"av1\""),
    ]

    static let own: [String: [Row]] = [
        "poster": [Row("at", "\"last\"")],
        "animation": [
            Row("length", "\"0.1\""), Row("loopSeam", "\"bounce\""),
            Row("loop", "\"2\""),
        ],
        "conversion": [
            Row("loop", "\"2\""), Row("undither", "\"always\""), Row("audio", "\"copy\""),

            Row("still", "true"),
        ],
        "sheet": [
            Row("interval", "\"0.2\""), Row("count", "2"), Row("columns", "1"), Row("rows", "1"),
            Row("gap", "3"),
            Row("background", "\"#ff0000\"", ["gap": "3"]),
            Row("stamp", "true"),
            Row("fillPages", "true", ["columns": "5"]), Row("heading", "true"),
            Row("indexes", "\"vtt,json\""),
        ],
        "frames": [
            Row("every", "2"), Row("at", "\"0.15\""), Row("scenes", "true"),

            Row("count", "2"), Row("fps", "\"5\""), Row("listing", "true"), Row("hashes", "true"),
            Row("indexes", "\"json\""),
        ],
    ]

    /// Whether there is nothing to say: what was asked for is what is made anyway.
    static func isSatisfied(_ row: Row, _ made: Case) -> Bool {
        switch row.path {
        case "at": made.isStill
        case "still": made.isStill || made.type.family == .still
        case "output.lossless":
            made.type.traits.map { row.value.contains("true") == ($0.fidelity == .exact) } ?? false
        default: false
        }
    }

    static let types: [String: [MediaType]] = [
        "poster": [.png, .jpeg, .webp, .avif, .jpegXL, .pnm, .rawPixels],
        "animation": [.gif, .apng, .webpAnimation, .avifSequence, .mp4, .webm],
        "conversion": [
            .gif, .apng, .webpAnimation, .avifSequence, .mp4, .webm, .png, .jpeg, .webp, .avif,
            .jpegXL,
        ],
        "sheet": [.jpeg, .png, .webp, .avif],
        "frames": [.png, .jpeg, .webp, .y4m, .rawPixels],
    ]

    struct Case: CustomStringConvertible, Sendable {
        let kind: String
        let type: MediaType
        let isStill: Bool
        var description: String {
            "\(kind) as \(type.name) of \(isStill ? "a still" : "an animation")"
        }
    }

    static let cases = types.sorted { $0.key < $1.key }.flatMap { kind, types in
        types.filter {
            EncoderRegistry.standard.types.contains($0) || [.y4m, .rawPixels, .pnm].contains($0)
        }.flatMap { type in
            [true, false].map { Case(kind: kind, type: type, isStill: $0) }
        }
    }

    /// Three frames with soft and clear pixels, each unlike the others on every side; a still is the first of them.
    static func source(isStill: Bool) async throws -> Rendition.Source {
        var media = PaintedMedia(
            seconds: isStill ? 0.1 : 0.3, rate: 10, keyframes: 1,
            size: PixelSize(width: 16, height: 16)
        ) { frame, x, y in
            SIMD4(
                UInt8(x * 15), UInt8(y * 9 + frame * 40), UInt8((x * y * 7) & 127),
                x > 12 ? 0 : y == 3 ? 128 : 255)
        }
        media.info.hasAlpha = true
        let type: MediaType = isStill ? .png : .apng
        let painted = FrameSequence(media, limits: .local)
        let made = try await Rendition.conversion(to: type).data(
            of: .init(painted), encoders: .standard)
        let bytes = try MemoryBytes(made.bytes)
        var source = Rendition.Source(
            try FrameSequence(opening: bytes, registry: .standard), name: "name",
            byteCount: made.bytes.count)
        source.bytes = bytes
        return source
    }

    /// All that is made, as a text: parts, decoded frames, times, loop, and the report without what was asked for.
    static func outcome(_ rendition: Rendition, of source: Rendition.Source) async -> String {
        do {
            var (parts, report) = try await rendition.parts(
                of: source, encoders: .standard, threads: 1)
            report.rendition = .facts()
            var text = report.json
            for (part, bytes) in parts.sorted(by: { $0.key.description < $1.key.description }) {
                text += "\n\(part): "
                guard
                    let made = try? FrameSequence(opening: MemoryBytes(bytes), registry: .standard)
                else {
                    text += String(decoding: bytes, as: UTF8.self)
                    continue
                }
                text += "\(made.info.size) \(made.info.loop)"
                for try await frame in made.frames() {
                    text +=
                        " \(frame.timing.duration) \(Digest.sha256(frame.bitmap.withBytes { Array($0) }).hex.prefix(12))"
                }
            }
            return text
        } catch {
            return "refused: \(error)"
        }
    }

    @Test(arguments: cases)
    func `a field has an effect, or is refused, or something is said`(made: Case) async throws {
        let source = try await Self.source(isStill: made.isStill)
        var silent: [String] = []
        for row in Self.own[made.kind, default: []] + Self.edits {
            let base = await Self.outcome(
                try row.rendition(made.kind, as: made.type, isAsked: false), of: source)
            let asked = await Self.outcome(
                try row.rendition(made.kind, as: made.type, isAsked: true), of: source)
            if asked == base, !asked.hasPrefix("refused"), !Self.isSatisfied(row, made) {
                silent.append(row.description)
            }
        }
        #expect(silent.isEmpty, "\(made): \(silent.joined(separator: ", "))")
    }

    @Test func `what has an effect is not said to have none`() async throws {
        let source = try await Self.source(isStill: false)
        for text in [
            #"{"kind": "frames", "indexes": "json,framehash", "output": {"type": "jpeg", "quality": 80}}"#,
            #"{"kind": "sheet", "indexes": "vtt,json", "output": {"type": "jpeg", "quality": 80}}"#,
            #"{"kind": "poster", "output": {"type": "webp", "quality": 80}}"#,
        ] {
            let (_, report) = try await Rendition(json: text).parts(
                of: source, encoders: .standard)
            #expect(!report.warnings.contains { $0.code == .withoutEffect }, "\(text)")
        }
    }

    @Test(arguments: own.keys.sorted())
    func `every field has a row`(kind: String) throws {
        var names = try Rendition.fields(of: #require(Rendition.Kind(word: kind))).map(\.name)
        names = names.filter { $0 != "edit" && $0 != "output" }
        names += ClipEdit.fields.map { "edit.\($0.name)" }
        names += Rendition.Output.fields.map { "output.\($0.name)" }
        let rows = Set((Self.own[kind, default: []] + Self.edits).map(\.path))
        #expect(
            names.filter { $0 != "output.type" && !rows.contains($0) && !Self.others.contains($0) }
                == [])
    }
}
