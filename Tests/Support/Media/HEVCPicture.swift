/// A coded picture with its configuration, made of a stream with start codes (H.265, annex B).
public struct HEVCPicture: Sendable {
    /// The size in pixels.
    public let width: Int, height: Int
    /// The box `hvcC`.
    public let configuration: [UInt8]
    /// The picture's units, each after its length.
    public let data: [UInt8]

    /// The properties of an item of this picture.
    public var properties: [[UInt8]] { [configuration, HEICForge.size(width, height)] }

    /// Splits a stream of one picture; `chroma` is 0 for gray, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
    public init(
        _ stream: [UInt8], width: Int, height: Int, chroma: Int = 1, depth: Int = 8
    ) {
        (self.width, self.height) = (width, height)
        var sets: [Int: [UInt8]] = [:]
        var data: [UInt8] = []
        for unit in Self.units(stream) {
            switch Int(unit[0] >> 1 & 63) {
            case 32, 33, 34: sets[Int(unit[0] >> 1 & 63)] = unit
            case 0...31: data += HEICForge.number(unit.count, 4) + unit
            default: break
            }
        }
        self.data = data
        // Main profile; what decoders use is in the parameter sets.
        var content: [UInt8] = [1, 1] + HEICForge.number(0x6000_0000, 4)
        content += HEICForge.number(0x9000_0000_0000, 6) + [120, 0xF0, 0, 0xFC]
        content += [0xFC | UInt8(chroma), 0xF8 | UInt8(depth - 8), 0xF8 | UInt8(depth - 8)]
        content += [0, 0, 0x0F, 3]
        for (kind, unit) in sets.sorted(by: { $0.key < $1.key }) {
            content += [0x80 | UInt8(kind)] + HEICForge.number(1, 2)
            content += HEICForge.number(unit.count, 2) + unit
        }
        configuration = HEICForge.box("hvcC", content)
    }

    private static func units(_ stream: [UInt8]) -> [[UInt8]] {
        var units: [[UInt8]] = []
        var start: Int?
        var place = 0
        while place + 2 < stream.count {
            if stream[place] == 0, stream[place + 1] == 0, stream[place + 2] == 1 {
                if let start { units.append(Self.trimmed(stream[start..<place])) }
                start = place + 3
                place += 2
            }
            place += 1
        }
        if let start { units.append(Self.trimmed(stream[start...])) }
        return units.filter { $0.count > 2 }
    }

    /// Zeros before a start code do not belong to a unit.
    private static func trimmed(_ unit: ArraySlice<UInt8>) -> [UInt8] {
        var unit = unit
        while unit.last == 0 { unit.removeLast() }
        return Array(unit)
    }
}

extension HEVCPicture {
    /// Has FFmpeg and x265 encode one frame of a filter graph such as `testsrc2=s=64x64`.
    ///
    /// The format is FFmpeg's name of one, such as `yuv420p10le`; the quality is x265's quantizer, and
    /// tags are options of the filter `setparams`, such as `range=pc`.
    public static func encoded(
        _ graph: String, width: Int, height: Int, format: String = "yuv420p",
        quality: Int = 10, tags: String = "range=unknown"
    ) -> HEVCPicture {
        let stream = Peer.output(
            of: """
                ffmpeg -v error -f lavfi -i '\(graph)' -frames:v 1 \
                -vf format=\(format),setparams=\(tags) -c:v libx265 -x265-params \
                log-level=none:keyint=1:qp=\(quality):info=0:repeat-headers=1 \
                -f hevc - </dev/null 2>/dev/null
                """)
        let chroma =
            format.hasPrefix("gray")
            ? 0
            : format.contains("444") ? 3 : format.contains("422") ? 2 : 1
        let depth = format.contains("12") ? 12 : format.contains("10") ? 10 : 8
        return HEVCPicture(stream, width: width, height: height, chroma: chroma, depth: depth)
    }
}
