import LazyBatch
import Testing

@Suite struct NamedInputTests {
    @Test(arguments: [
        ("films/a.mp4", "a", "mp4"), ("a.tar.gz", "a.tar", "gz"), (".hidden", ".hidden", ""),
        ("films/plain", "plain", ""), ("x.y/plain", "plain", ""), ("end.", "end", ""),
    ])
    func `a path has a name and an extension`(path: String, name: String, fileExtension: String) {
        let input = NamedInput(path: path, number: 3)
        #expect(input.name == name)
        #expect(input.fileExtension == fileExtension)
        #expect(input.path == path && input.label == path && input.number == 3)
    }

    @Test func `outputs of paths follow a pattern`() throws {
        let naming = OutputNaming(
            folder: "out", pattern: try OutputNaming.Pattern("{dir}/{name}-{number}.jpg"))
        #expect(naming.output(for: NamedInput(path: "in/a.mp4", number: 7)) == "out/in/a-7.jpg")
    }
}
