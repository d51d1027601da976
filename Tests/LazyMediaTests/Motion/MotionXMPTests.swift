import Support
import Testing

@testable import LazyMedia

@Suite struct MotionXMPTests {
    private typealias Place = MotionXMP.Place

    private func place(_ text: String) -> MotionXMP.Place? { MotionXMP(Array(text.utf8)).place }

    private static let item = "<a:li><a:Item a:Semantic='MotionPhoto' a:Length='70'/></a:li>"
    private static let other = "<a:li><a:Item a:Semantic='GainMap' a:Length='9'/></a:li>"

    @Test(arguments: [
        (MotionForge.directory([("MotionPhoto", 70, 0)]), 70, 0),
        (MotionForge.directory([("MotionPhoto", 70, 0)], prefix: "Camera"), 70, 0),
        (MotionForge.directory([("GainMap", 9, 1), ("MotionPhoto", 70, 5)]), 75, 5),
        (MotionForge.directory([("MotionPhoto", 70, 0), ("GainMap", 9, 1)]), 80, 10),
        ("<Directory>\(item)\(other)</Directory>", 79, 9),
        // Other lists before and behind it.
        ("<li>a</li><li>b</li><Directory>\(item)</Directory><li>c</li>", 70, 0),
        (String(repeating: "<li/>", count: 900) + "<Directory>\(item)</Directory>", 70, 0),
        // Properties as elements.
        (
            "<li><Semantic>MotionPhoto</Semantic><Length> 70 </Length><Padding>2</Padding></li>",
            72, 2
        ),
    ]) func `a directory tells the distance from the end`(
        text: String, distance: Int, behind: Int
    ) {
        let expected = MotionXMP.Place(kind: .motionPhoto, distance: distance, behind: behind)
        #expect(place(text) == expected)
    }

    @Test(arguments: [
        MotionForge.offset(70), "<a b:MicroVideoOffset = '70' />",
        "<a><b:MicroVideo>1</b:MicroVideo><b:MicroVideoOffset>\n70</b:MicroVideoOffset></a>",
    ]) func `the older form tells the distance itself`(text: String) {
        #expect(place(text) == MotionXMP.Place(kind: .microVideo, distance: 70, behind: 0))
    }

    @Test(arguments: ["", "-7", "0", "7.5", "0x70", "99999999999999999999", "&#55;"])
    func `a length that is none announces a film without a place`(_ number: String) {
        let list = "<li><i Semantic='MotionPhoto' Length='\(number)'/></li>"
        #expect(place(list) == MotionXMP.Place(kind: .motionPhoto, distance: nil, behind: 0))
        let offset = "<i MicroVideoOffset='\(number)'/>"
        #expect(place(offset) == MotionXMP.Place(kind: .microVideo, distance: nil, behind: 0))
    }

    @Test(arguments: [
        "", "<", "<a", "<a b", "<a b=", "<a b='", "<a b='c", "<?x", "</", "<<<>>>", "a=b",
        MotionForge.directory([]), MotionForge.directory([("GainMap", 9, 0)]),
        MotionForge.directory([("MotionPhoto", 70, 0)], flag: 0),
        "<a MicroVideo='0' MicroVideoOffset='70'/>",
        // Text is no property.
        "MicroVideoOffset='70'", "<a>MicroVideoOffset='70'</a>",
    ]) func `other XMP announces no film`(text: String) { #expect(place(text) == nil) }

    @Test func `XMP cut anywhere is read up to the cut`() {
        let text = Array(MotionForge.directory([("MotionPhoto", 70, 0), ("GainMap", 9, 1)]).utf8)
        for length in text.indices {
            let place = MotionXMP(Array(text[..<length])).place
            #expect([nil, 7, 70, 71, 79, 80].contains(place?.distance), "\(length)")
        }
    }

    @Test func `the time of the still is read, where there is one`() {
        let modern = MotionXMP(Array(MotionForge.directory([("MotionPhoto", 70, 0)]).utf8))
        #expect(modern.stillTime == .milliseconds(500))
        // -1 means that it is unknown.
        #expect(MotionXMP(Array(MotionForge.offset(70).utf8)).stillTime == nil)
    }
}
