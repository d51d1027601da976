import LazyKit
import Testing

@testable import LazyGTK
@testable import LazyViewer

@Suite struct DecisionTests {
    @Test(arguments: [
        ("/tmp/a b.gif", "file:///tmp/a%20b.gif", "a b.gif"),
        ("/ü/100%.png", "file:///%C3%BC/100%25.png", "100%.png"),
        ("/a#b?c.mp4", "file:///a%23b%3Fc.mp4", "a#b?c.mp4"),
    ])
    func `a path becomes a URL with all its bytes`(
        path: String, address: String, name: String
    ) throws {
        let item = try #require(ViewerItem(path: Array(path.utf8)))
        #expect(item.url.absoluteString == address)
        #expect(item.name == name)
        #expect(item.path == path)
        #expect(ViewerItem(address: address)?.path == path)
    }

    @Test func `a name that is no text keeps its bytes`() throws {
        let item = try #require(ViewerItem(path: [0x2F, 0xFF, 0x61]))
        #expect(item.url.absoluteString == "file:///%FFa")
        #expect(item.path == nil)
    }

    @Test func `each key has one command, and each command a key`() {
        let keys = KeyBindings.all.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        #expect(Set(KeyBindings.all.map(\.command)) == Set(ViewerCommand.allCases))
    }

    @Test(arguments: [
        ("Right", false, false, ViewerCommand.nextItem), ("Right", false, true, .forward),
        ("Right", true, false, .forwardLong), ("R", false, true, .rotateLeft),
        ("R", false, false, .rotateRight), ("r", false, false, .rotateRight),
        ("question", false, true, .help), ("c", true, false, .copyFrame),
        ("plus", false, true, .zoomIn), ("period", false, false, .nextFrame),
    ])
    func `keys and modifiers find their command`(
        name: String, control: Bool, shift: Bool, command: ViewerCommand
    ) {
        #expect(KeyBindings.command(name, control: control, shift: shift) == command)
    }

    @Test func `the arrows of the grid are its own`() {
        #expect(KeyBindings.command("Right", control: false, shift: false, isGrid: true) == nil)
        #expect(KeyBindings.command("q", control: false, shift: false, isGrid: true) == .quit)
    }

    @Test(arguments: [(1.0, "1×"), (0.25, "0.25×"), (1.5, "1.5×"), (-2, "−2×"), (0.1, "0.1×")])
    func `speeds have labels`(rate: Double, label: String) {
        #expect(TimeLabel.speed(rate) == label)
    }

    @Test func `times have labels`() {
        #expect(TimeLabel.text(.milliseconds(62_340)) == "1:02.3")
        #expect(TimeLabel.text(.seconds(3661)) == "1:01:01")
        #expect(
            TimeLabel.text(.seconds(2), of: .seconds(5), frame: 50, count: 125)
                == "0:02.0 / 0:05.0 · 51 / 125")
    }

    @Test func `items ahead of scrolling are loaded, in its direction`() {
        var window = PrefetchWindow()
        let looks: [(ClosedRange<Int>?, [Int])] = [
            (0...3, [4, 5, 6, 7]), (8...11, [12, 13]), (4...7, [3, 2, 1, 0]), (10...13, []),
            (nil, []),
        ]
        for (visible, expected) in looks {
            let items = window.items(visible: visible, count: 14)
            #expect(items == expected)
        }
    }

    @Test(arguments: [
        ("clip.mp4", 12, "clip-frame-00012.png"), ("a.b.gif", nil, "a.b.png"),
        (".x", 1, ".x-frame-00001.png"),
    ])
    func `the name of a frame's file tells its number`(
        name: String, frame: Int?, expected: String
    ) {
        #expect(ShownFrame.fileName(name, frame: frame) == expected)
    }
}
