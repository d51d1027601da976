import LazyMedia
import LazyVideo
import Support
import Testing

/// One length, the one that is counted, is what percentages use, whatever a header says.
@Suite(.ownThreads) struct LengthTests {
    /// What is wrong with the length in a header, or with the clock.
    enum Fault: String, CaseIterable, Sendable {
        case none, late, half, long
    }

    /// A container, and how ffmpeg writes it.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let codec: String
        var faults = Fault.allCases

        var testDescription: String { name }

        /// The file of 5 s, ten pictures a second.
        func file(_ fault: Fault) -> [UInt8] {
            let scratch = Scratch()
            let start = fault == .late ? "-output_ts_offset 3600" : ""
            _ = Peer.output(
                of:
                    "ffmpeg -v error -y -f lavfi -i testsrc2=s=96x64:r=10:d=5 \(codec) -g 10 \(start)"
                    + " \(scratch.path("film.\(name)")) </dev/null 2>&1")
            let file = scratch["film.\(name)"]
            switch fault {
            case .none, .late: return file
            case .half: return Array(file.prefix(file.count / 2))
            case .long: return name == "flv" ? Self.longFLV(file) : Self.longMatroska(file)
            }
        }

        /// The header with ten times the length: `duration` of FLV's `onMetaData`, a double.
        private static func longFLV(_ file: [UInt8]) -> [UInt8] {
            replaced(file, behind: Array("duration".utf8) + [0], by: 50)
        }

        /// The same of Matroska (RFC 9559, 5.1.2.10), in milliseconds.
        private static func longMatroska(_ file: [UInt8]) -> [UInt8] {
            replaced(file, behind: [0x44, 0x89, 0x88], by: 50_000)
        }

        private static func replaced(
            _ file: [UInt8], behind name: [UInt8], by number: Double
        ) -> [UInt8] {
            guard let place = file.firstRange(of: name)?.upperBound else { return [] }
            var file = file
            for (offset, shift) in stride(from: 56, through: 0, by: -8).enumerated() {
                file[place + offset] = UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(shift))
            }
            return file
        }
    }

    static let rows = [
        Row(name: "mkv", codec: "-c:v libx264 -bf 2"), Row(name: "webm", codec: "-c:v libvpx"),
        Row(name: "flv", codec: "-c:v libx264 -bf 2"),
        Row(name: "nut", codec: "-c:v mpeg4", faults: [.none, .late, .half]),
        Row(name: "asf", codec: "-c:v mpeg4", faults: [.none, .late, .half]),
        Row(name: "avi", codec: "-c:v mpeg4", faults: [.none, .half]),
        Row(name: "mp4", codec: "-c:v libx264 -bf 2", faults: [.none, .late]),
        Row(name: "ts", codec: "-c:v libx264 -bf 2", faults: [.none, .late, .half]),
        Row(name: "ogv", codec: "-c:v libtheora", faults: [.none, .late, .half]),
    ]

    /// Bytes at a server that sends ranges.
    private final class Remote: ByteSource {
        let bytes: MemoryBytes
        init(_ bytes: MemoryBytes) { self.bytes = bytes }
        var count: Int { bytes.count }
        var isRemote: Bool { true }
        func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
            bytes.read(at: offset, into: buffer)
        }
        func contiguous() -> MemoryBytes { bytes }
    }

    @Test(.needs("ffmpeg"), arguments: rows)
    func `a share of the length is that of the counted length`(row: Row) async throws {
        for fault in row.faults {
            let bytes = try MemoryBytes(row.file(fault))
            for source in [bytes, Remote(bytes)] as [any ByteSource] {
                let name = "\(fault), remote: \(source.isRemote)"
                let counted = try opened(source).frameIndex(CancellationFlag())
                // A half has about half of the 5 s.
                let most: Duration = fault == .half ? .seconds(4) : .seconds(5)
                #expect(counted.duration <= most && counted.duration > most / 5, "\(name)")
                for share in [10.0, 50, 90] {
                    let sequence = FrameSequence(try opened(source))
                    let poster = try await sequence.poster(.percent(share))
                    let timing = try #require(poster.timing)
                    let wanted = counted.duration * (share / 100)
                    let number = try #require(counted.frame(at: wanted))
                    #expect(
                        timing.presentation == counted[number].presentation, "\(name) \(share) %")
                }
                let sequence = FrameSequence(try opened(source))
                let best = try await sequence.poster(.auto)
                #expect(
                    try #require(best.timing).presentation.duration < counted.duration / 2,
                    "\(name)")
                #expect(try await sequence.detailedInfo().duration == counted.duration, "\(name)")
            }
        }
    }

    @Test(.needs("ffmpeg"), arguments: rows)
    func `what is said of a file does not depend on what was asked before`(row: Row) async throws {
        for fault in row.faults {
            let bytes = try MemoryBytes(row.file(fault))
            let plain = try await FrameSequence(opened(bytes)).detailedInfo()
            let media = try opened(bytes)
            let index = try media.frameIndex(CancellationFlag())
            let counted = try await FrameSequence(media).detailedInfo()
            #expect(plain.frameCount == index.count, "\(fault)")
            #expect(plain.duration == counted.duration, "\(fault)")
            #expect(plain.start == counted.start && plain.start == index[0].presentation.duration)
        }
    }
}
