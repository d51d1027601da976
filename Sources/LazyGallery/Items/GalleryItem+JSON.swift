internal import LazyBase
internal import LazyMedia

/// An item as the record in its folder and in the scripts of the page.
extension GalleryItem {
    /// The name of the record.
    static let recordName = "item.json"

    /// The record, one object on one line.
    var record: JSONValue {
        .object(members + (place.map { [("place", .string($0))] } ?? []))
    }

    /// The same without what is nothing to a visitor.
    var json: JSONValue { .object(members) }

    private var members: [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [
            ("id", .string(id)), ("name", .string(name)), ("folder", .string(subfolder)),
            ("kind", .string(kind.rawValue)), ("format", .string(format)),
            ("width", .integer(size.width)), ("height", .integer(size.height)),
            ("frames", .integer(frameCount)), ("ms", .integer(milliseconds)),
            ("plays", .integer(plays)), ("bytes", .integer(byteCount)),
            ("date", .integer(modified)), ("hash", .string(placeholder)),
            ("posters", .array(widths.map { .integer($0) })),
        ]
        if hasPreview { members.append(("preview", .bool(true))) }
        if let sheet {
            members.append(("sheet", .array([.integer(sheet.count), .integer(sheet.columns)])))
        }
        if let media { members.append(("media", .string(media))) }
        members.append(("v", .string(version)))
        return members
    }

    /// Reads a record; nil for any other text.
    init?(record text: some StringProtocol) {
        guard let record = JSONText.value(text, as: Record.self),
            let kind = Kind(rawValue: record.kind), record.width > 0, record.height > 0,
            record.id.utf8.allSatisfy(Self.isSafe), !record.id.isEmpty
        else { return nil }
        id = record.id
        name = record.name
        subfolder = record.folder
        self.kind = kind
        format = record.format
        size = PixelSize(width: record.width, height: record.height)
        frameCount = record.frames
        milliseconds = record.ms
        plays = record.plays
        byteCount = record.bytes
        modified = record.date
        placeholder = record.hash
        widths = record.posters
        hasPreview = record.preview ?? false
        sheet = record.sheet.flatMap { $0.count == 2 ? Sheet(count: $0[0], columns: $0[1]) : nil }
        media = record.media
        version = record.v
        place = record.place
    }

    // The bytes that `GallerySource.id` makes.
    private static func isSafe(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
    }

    private struct Record: Decodable {
        let id, name, folder, kind, format: String
        let width, height, frames, ms, plays, bytes, date: Int
        let hash: String
        let posters: [Int]
        let preview: Bool?
        let sheet: [Int]?
        let media: String?
        let v: String
        let place: String?
    }
}
