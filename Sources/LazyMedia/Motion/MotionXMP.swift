/// What the XMP of a motion photo says about its film.
///
/// Google's formats: "Motion Photo" with a directory of the items that the file consists of, and the
/// older "MicroVideo" with the distance of the film from the end. Prefixes of namespaces are not
/// looked at, since writers use several.
package struct MotionXMP: Sendable {
    /// Where the film should lie.
    struct Place: Equatable, Sendable {
        let kind: MotionFilm.Kind
        /// The distance of its first byte from the end of the file, or nil where the number is unusable.
        let distance: Int?
        /// The number of bytes after it.
        let behind: Int
    }

    private(set) var place: Place?
    /// The time of the still in the film.
    private(set) var stillTime: Duration?

    /// The most bytes of XMP that are read.
    package static let maxBytes = 1 << 16
    // The bytes that name its namespace begin the body of a JPEG's segment.
    private static let signature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

    /// The XMP in the body of a JPEG's APP1 segment, or nil for other segments.
    package static func text(segment: UnsafeRawBufferPointer) -> [UInt8]? {
        guard segment.count > signature.count,
            segment.prefix(signature.count).elementsEqual(signature)
        else { return nil }
        return Array(segment.dropFirst(signature.count).prefix(maxBytes))
    }

    /// Reads the properties; those that are not numbers count as absent.
    package init(_ text: [UInt8]) {
        var values: [String: String] = [:]
        var items: [[String: String]] = []
        var scan = XMPScan(text.prefix(Self.maxBytes))
        while let found = scan.next() {
            switch found {
            case .element("Directory"): items = []
            case .element("li"):
                // More than any directory has.
                if items.count < 64 { items.append([:]) }
            case .element: break
            case .value(let name, let value):
                if Self.ofItems.contains(name), !items.isEmpty {
                    items[items.count - 1][name] = value
                } else if values[name] == nil {
                    values[name] = value
                }
            }
        }
        let time =
            values["MotionPhotoPresentationTimestampUs"]
            ?? values["MicroVideoPresentationTimestampUs"]
        stillTime = time.flatMap(Self.number).map { .microseconds($0) }
        place =
            Self.directory(values, items.filter { $0["Semantic"] != nil }) ?? Self.offset(values)
    }

    private static let ofItems: Set = ["Semantic", "Length", "Padding", "Mime"]

    private static func directory(
        _ values: [String: String], _ items: [[String: String]]
    ) -> Place? {
        guard values["MotionPhoto"].map({ $0 == "1" }) ?? true,
            let index = items.firstIndex(where: { $0["Semantic"] == "MotionPhoto" })
        else { return nil }
        // Items lie one behind the other, the last one at the end of the file.
        let behind = items[(index + 1)...].reduce(0 as Int?) { sum, item in
            sum.flatMap { sum in bytes(of: item).map { sum + $0 } }
        }
        guard let behind, let own = bytes(of: items[index]), own > 0 else {
            return Place(kind: .motionPhoto, distance: nil, behind: 0)
        }
        return Place(
            kind: .motionPhoto, distance: behind + own,
            behind: behind + (items[index]["Padding"].flatMap(number) ?? 0))
    }

    private static func bytes(of item: [String: String]) -> Int? {
        guard let length = item["Length"].flatMap(number) else { return nil }
        return length + (item["Padding"].flatMap(number) ?? 0)
    }

    private static func offset(_ values: [String: String]) -> Place? {
        guard values["MicroVideo"].map({ $0 == "1" }) ?? true,
            let text = values["MicroVideoOffset"]
        else { return nil }
        let distance = number(text)
        return Place(kind: .microVideo, distance: distance == 0 ? nil : distance, behind: 0)
    }

    /// A number of at most 15 digits, so that 64 of them have a sum.
    private static func number(_ text: String) -> Int? {
        guard text.utf8.count <= 15, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}
