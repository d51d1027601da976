/// Makes motion photos of a still and a film, in the ways that phones write them.
public enum MotionForge {
    /// The ways.
    public enum Kind: String, CaseIterable, Sendable {
        /// XMP with a directory of items.
        case motionPhoto
        /// XMP with an offset.
        case microVideo
        /// Samsung's trailer.
        case samsung
        /// HEIF's box.
        case mpvd
    }

    /// A motion photo; `still` is a JPEG, and a HEIC for `mpvd`.
    public static func file(_ kind: Kind, still: [UInt8], film: [UInt8]) -> [UInt8] {
        switch kind {
        case .motionPhoto:
            described(still, directory([("MotionPhoto", film.count, 0)])) + film
        case .microVideo: described(still, offset(film.count)) + film
        case .samsung: still + trailer(film)
        case .mpvd: still + HEICForge.box("mpvd", film)
        }
    }

    /// A JPEG with XMP in its first segment.
    public static func described(_ jpeg: [UInt8], _ xmp: String) -> [UInt8] {
        let body = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.utf8)
        let head: [UInt8] = [0xFF, 0xE1] + HEICForge.number(body.count + 2, 2)
        return Array(jpeg[..<2]) + head + body + Array(jpeg[2...])
    }

    /// XMP with a directory of a JPEG and items: meaning, length, padding.
    public static func directory(
        _ items: [(String, Int, Int)], prefix: String = "GCamera", flag: Int = 1
    ) -> String {
        let list = [("Primary", 0, 0)] + items
        let lines = list.map { meaning, length, padding in
            """
            <rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="video/mp4"
             Item:Semantic="\(meaning)" Item:Length="\(length)" Item:Padding="\(padding)"/></rdf:li>
            """
        }
        return packet(
            """
            <rdf:Description \(prefix):MotionPhoto="\(flag)" \(prefix):MotionPhotoVersion="1"
             \(prefix):MotionPhotoPresentationTimestampUs="500000">
            <Container:Directory><rdf:Seq>\(lines.joined())</rdf:Seq></Container:Directory>
            </rdf:Description>
            """)
    }

    /// XMP with the distance of the film from the end.
    public static func offset(_ distance: Int) -> String {
        packet(
            """
            <rdf:Description GCamera:MicroVideo="1" GCamera:MicroVideoVersion="1"
             GCamera:MicroVideoOffset="\(distance)"
             GCamera:MicroVideoPresentationTimestampUs="-1"/>
            """)
    }

    private static func packet(_ content: String) -> String {
        """
        <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
        <rdf:RDF>\(content)</rdf:RDF></x:xmpmeta><?xpacket end="w"?>
        """
    }

    /// Samsung's trailer with a film between two other blocks.
    public static func trailer(_ film: [UInt8]) -> [UInt8] {
        let blocks = [
            block("Image_UTC_Data", 0x0A01, Array("1600000000000".utf8)),
            block("MotionPhoto_Data", 0x0A30, film),
            block("MCC_Data", 0x0AA1, Array("310".utf8)),
        ]
        let types = [0x0A01, 0x0A30, 0x0AA1]
        var entries: [UInt8] = []
        for index in blocks.indices {
            let distance = blocks[index...].reduce(0) { $0 + $1.count }
            entries +=
                [0, 0] + little(types[index], 2) + little(distance, 4)
                + little(blocks[index].count, 4)
        }
        let directory = Array("SEFH".utf8) + little(106, 4) + little(blocks.count, 4) + entries
        return blocks.flatMap { $0 } + directory + little(directory.count, 4) + Array("SEFT".utf8)
    }

    private static func block(_ name: String, _ type: Int, _ content: [UInt8]) -> [UInt8] {
        [0, 0] + little(type, 2) + little(name.utf8.count, 4) + Array(name.utf8) + content
    }

    /// A number of some bytes, the lowest first.
    public static func little(_ value: Int, _ width: Int) -> [UInt8] {
        Array(HEICForge.number(value, width).reversed())
    }
}
