import LazyBase
import LazyCodecs
import LazyEditing
import LazyMedia
import Support
import Testing

@testable import LazyRenditions

/// Frames as a rendition, in memory.
@Suite struct FramesTests {
    /// Parts in the order in which they were finished.
    final class Parts: Rendition.Sinks {
        final class Part: Rendition.Sink {
            let part: Rendition.Part
            let bytes = CollectedBytes()
            private let parts: Parts

            init(_ part: Rendition.Part, _ parts: Parts) { (self.part, self.parts) = (part, parts) }

            func write(_ piece: UnsafeRawBufferPointer) { bytes.append(Array(piece)) }
            func finish() { parts.done.withLock { $0.append(self) } }
        }

        let isSequential: Bool
        private let refuses: Bool
        let opened = Locked(0)
        let done = Locked<[Part]>([])

        init(isSequential: Bool = false, refuses: Bool = false) {
            (self.isSequential, self.refuses) = (isSequential, refuses)
        }

        func open(
            _ part: Rendition.Part, as type: MediaType
        ) throws(MediaError) -> any Rendition.Sink {
            opened.withLock { $0 += 1 }
            if refuses { throw MediaError(.environment, "It is full.") }
            return Part(part, self)
        }

        var frames: [(frame: Rendition.Frame, bytes: [UInt8])] {
            done.withLock { $0 }.compactMap { part in
                guard case .frame(let frame) = part.part else { return nil }
                return (frame, part.bytes.all)
            }
        }

        func text(_ index: Rendition.Index) -> String? {
            done.withLock { $0 }.first { $0.part == .index(index) }.map {
                String(decoding: $0.bytes.all, as: UTF8.self)
            }
        }
    }

    private func make(
        _ frames: Rendition.Frames, of name: String = "small.mp4", as type: MediaType? = .png,
        edit: ClipEdit = .init(), into parts: Parts, threads: Int = 0
    ) async throws -> Rendition.Report {
        try await Rendition(.frames(frames), edit: edit, output: .init(type)).make(
            of: .init(try Clips.open(name), name: name), into: parts,
            encoders: EncoderRegistry(FormatRegistry([.png]).encoders.factories + [.rawPixels]),
            threads: threads)
    }

    @Test(arguments: [false, true])
    func `each frame is a picture of its own, the same as decoding gives`(
        isSequential: Bool
    ) async throws {
        let parts = Parts(isSequential: isSequential)
        let report = try await make(.init(), as: .rawPixels, into: parts, threads: 4)
        let expected = try await Clips.frames(try Clips.open("small.mp4"))
        let made =
            isSequential
            ? parts.frames : parts.frames.sorted { $0.frame.position < $1.frame.position }
        #expect(made.map(\.frame.timing) == expected.map(\.timing))
        for (one, other) in zip(made, expected) {
            #expect(one.bytes == other.bitmap.withBytes { Array($0) })
        }
        #expect(report.frameCount == expected.count && report.parts.isEmpty)
        #expect(report.byteCount == made.reduce(0) { $0 + $1.bytes.count })
    }

    @Test func `a sink that refuses the first frame has no other`() async throws {
        let parts = Parts(refuses: true)
        let error = await #expect(throws: MediaError.self) {
            try await make(.init(), into: parts, threads: 8)
        }
        #expect(error?.message == "It is full." && parts.opened.withLock { $0 } == 1)
    }

    @Test func `some are selected by number, rate, keyframe and part of the clip`() async throws {
        func positions(
            _ change: (inout Rendition.Frames) -> Void, _ segment: Range<Duration>? = nil
        ) async throws -> [Int] {
            var frames = Rendition.Frames()
            change(&frames)
            let parts = Parts(isSequential: true)
            _ = try await make(
                frames, as: .rawPixels, edit: .init(segments: segment.map { [$0] } ?? []),
                into: parts)
            return parts.frames.map(\.frame.sourceIndex)
        }
        let all = try await Clips.frames(try Clips.open("small.mp4")).map(\.timing)
        #expect(
            try await positions { $0.every = .frames(5) }
                == Array(stride(from: 0, to: all.count, by: 5)))
        #expect(try await positions { $0.maximum = 3 } == [0, 1, 2])
        #expect(
            try await positions { $0.keyframesOnly = true }
                == all.indices.filter { all[$0].isKeyframe })
        let second = Duration.milliseconds(250)..<Duration.milliseconds(500)
        #expect(
            try await positions({ _ in }, second)
                == all.indices.filter {
                    all[$0].end.duration > second.lowerBound
                        && all[$0].presentation.duration < second.upperBound
                })
        #expect(
            try await positions {
                $0.rate = Rational(1000, 1); $0.maximum = 4
            } == [0, 0, 0, 0])
        await #expect(throws: MediaError.self) {
            try await positions({ _ in }, .seconds(900)..<ClipEdit.toTheEnd)
        }
        // Those on screen at 0, 300 ms and so on, each once.
        let index = FrameIndex(all)
        func shown(every step: Int) -> [Int] {
            var shown: [Int] = []
            for time in stride(from: 0, to: Int(index.duration / .milliseconds(1)), by: step) {
                guard let number = index.frame(at: .milliseconds(time)) else { continue }
                if shown.last != number { shown.append(number) }
            }
            return shown
        }
        for step in [1, 83, 300, 700, 5000] {
            #expect(
                try await positions { $0.every = .time(.milliseconds(step)) } == shown(every: step))
        }
        #expect(
            try await positions {
                $0.positions = [
                    .index(-1), .at(.milliseconds(300)), .percent(50), .index(2), .first,
                ]
            }
                == Set([
                    all.count - 1, index.frame(at: .milliseconds(300)) ?? 0,
                    index.frame(at: index.duration * 0.5) ?? 0, 2, 0,
                ]).sorted())
        await #expect(throws: MediaError.self) {
            try await positions { $0.positions = [.index(all.count)] }
        }
        await #expect(throws: MediaError.self) {
            try await positions { $0.positions = [.at(.seconds(900))] }
        }
    }

    @Test func `parts are named by frames, which keep their pictures`() async throws {
        let parts = Parts(isSequential: true)
        let part = try Words.section.parse("#4-#7")
        var edit = ClipEdit()
        edit.parts = [part]
        _ = try await make(.init(), as: .rawPixels, edit: edit, into: parts)
        #expect(parts.frames.map(\.frame.sourceIndex) == [4, 5, 6])
        let cut = try await Clips.open("small.mp4").edited(edit)
        #expect(try await cut.frameIndex().count == 3)
        for wrong in ["#4-#4", "#900-", "chapter:1"] {
            edit.parts = [try Words.section.parse(wrong)]
            let refused = edit
            await #expect(throws: MediaError.self) {
                try await Clips.open("small.mp4").edited(refused).frameIndex()
            }
        }
    }

    /// Three colors that change at frames 10 and 17, with a fade at the end that begins no scene.
    @Test func `scenes begin at cuts`() async throws {
        func color(_ number: Int) -> UInt32 {
            number < 10 ? 0xC03020 : number < 17 ? 0x20A040 : 0x2030C0
        }
        let colors = (0..<30).map { number -> UInt32 in
            guard number > 20 else { return color(number) }
            let share = UInt32(30 - number)
            return (0x20 * share / 10) << 16 | (0x30 * share / 10) << 8 | 0xC0 * share / 10
        }
        var forge = GIFForge(width: 64, height: 48, palette: colors + [0, 0])
        for number in colors.indices {
            forge.control(delay: 10)
            forge.image(
                width: 64, height: 48, indices: Array(repeating: UInt8(number), count: 64 * 48))
        }
        forge.trailer()
        let clip = FrameSequence(
            try GIFDecoder().open(MemoryBytes(forge.bytes), type: .gif, limits: .local))
        var frames = Rendition.Frames()
        frames.scenesOnly = true
        let parts = Parts(isSequential: true)
        _ = try await Rendition(.frames(frames), output: .init(.rawPixels)).make(
            of: .init(clip, name: "colors"), into: parts,
            encoders: EncoderRegistry([.rawPixels]))
        #expect(parts.frames.map(\.frame.sourceIndex) == [0, 10, 17])
    }

    @Test func `a stream of Y4M is one part, at the rate of the clip`() async throws {
        let parts = Parts(isSequential: true)
        let report = try await make(.init(), as: .y4m, into: parts)
        let stream = try #require(parts.done.withLock { $0 }.first)
        #expect(stream.part == .main && report.parts.map(\.part) == [.main])
        #expect(report.byteCount == stream.bytes.all.count)
        let size = try Clips.open("small.mp4").info.size
        let header = "YUV4MPEG2 W\(size.width) H\(size.height) F12:1 Ip A1:1 C444\n"
        #expect(stream.bytes.all.starts(with: Array(header.utf8)))
        let count = try await Clips.open("small.mp4").frameIndex().count
        #expect(
            stream.bytes.all.count == header.utf8.count + count * (6 + 3 * size.pixelCount))
    }

    @Test func `they are listed with times, names and hashes`() async throws {
        var frames = Rendition.Frames()
        (frames.indexes, frames.hashesPixels) = ([.json, .framehash], true)
        let parts = Parts()
        let report = try await make(frames, of: "counter.gif", into: parts, threads: 4)
        let expected = try await Clips.frames(try Clips.open("counter.gif"))
        let json = try #require(parts.text(.json).flatMap { JSONValue(reading: Array($0.utf8)) })
        guard case .object(let members) = json,
            case .array(let listed)? = members.first(where: { $0.0 == "frames" })?.1
        else {
            Issue.record("no list")
            return
        }
        let lines = try #require(parts.text(.framehash)).split(separator: "\n").filter {
            $0.first != "#"
        }
        #expect(listed.count == expected.count && lines.count == expected.count)
        for (place, frame) in expected.enumerated() {
            let hash = PixelDigest.hex(frame.bitmap)
            #expect(lines[place].hasPrefix("\(place), \(frame.timing.presentation.microseconds), "))
            #expect(lines[place].hasSuffix(", \(hash)"))
            #expect(listed[place].line.contains("\"sha256\": \"\(hash)\""))
            #expect(listed[place].line.contains("\"file\": \"frame-\(place + 1)\""))
        }
        #expect(report.parts.map(\.part) == [.index(.framehash), .index(.json)])
    }

    @Test func `without pictures nothing is encoded`() async throws {
        var frames = Rendition.Frames()
        (frames.isListing, frames.indexes) = (true, [.framehash])
        let parts = Parts()
        let report = try await make(frames, as: nil, into: parts)
        #expect(parts.frames.isEmpty && parts.text(.framehash)?.isEmpty == false)
        #expect(report.frameCount ?? 0 > 1)
    }

    @Test(arguments: [
        #"{"kind": "frames", "edit": {"speed": 2}}"#,
        #"{"kind": "frames", "edit": {"segments": "1-2,3-4"}}"#,
        #"{"kind": "frames", "every": 2, "fps": "5"}"#,
        #"{"kind": "frames", "every": "2s", "keyframes": true}"#,
        #"{"kind": "frames", "at": "1,2", "every": 2}"#,
        #"{"kind": "frames", "at": "1,2", "edit": {"segments": "1-2"}}"#,
        #"{"kind": "frames", "scenes": true, "fps": "5"}"#,
        #"{"kind": "frames", "indexes": "json", "output": {"type": "y4m"}}"#,
        #"{"kind": "frames", "output": {"maxBytes": "1M"}}"#,
        #"{"kind": "frames", "listing": true, "output": {"type": "png"}}"#,
    ])
    func `what contradicts itself is refused`(json: String) throws {
        let rendition = try Rendition(json: json)
        let error = #expect(throws: MediaError.self) { try rendition.checked() }
        #expect(error?.code == .notWritable)
    }

    @Test func `results out of order are written in order`() throws {
        let seen = Locked<[Int]>([])
        let output = OrderedParts<Int> { item in seen.withLock { $0.append(item) } }
        for place in [2, 0, 3, 1, 4] { try output.deliver(place * 10, at: place) }
        #expect(seen.withLock { $0 } == [0, 10, 20, 30, 40])
    }

    private static func bitmap(_ pixels: [SIMD4<UInt8>]) throws -> Bitmap {
        try Bitmap(size: PixelSize(width: pixels.count, height: 1), isOpaque: false) {
            (rows) throws(MediaError) in
            for (place, pixel) in pixels.enumerated() {
                for channel in 0..<4 { rows[place * 4 + channel] = pixel[channel] }
            }
        }
    }

    @Test func `hashes treat invisible colors as zero`() throws {
        let visible = try Self.bitmap([SIMD4(1, 2, 3, 255), SIMD4(0, 0, 0, 0)])
        let hidden = try Self.bitmap([SIMD4(1, 2, 3, 255), SIMD4(9, 9, 9, 0)])
        #expect(PixelDigest.hex(visible) == PixelDigest.hex(hidden))
        // printf '\1\2\3\377\0\0\0\0' | sha256sum
        #expect(
            PixelDigest.hex(visible)
                == "db2473f699c1eee743cc41efebbc413f431a07f7f9a0bf988f8fa80d82777ffd")
    }
}
