import LazyBatch
import Testing

/// Outputs keep their names below the folder of outputs.
@Suite struct OutputNamesTests {
    @Test(arguments: [
        ("{name}/poster.png", "...gif", "out/_../poster.png"),
        ("{name}/poster.png", "..gif", "out/_./poster.png"),
        ("{name}", "...gif", "out/_.."), ("{ext}/p.png", "e.", "out/_/p.png"),
        ("{ext}{name}/p.png", "..", "out/_./p.png"), ("{ext}/etc/p.png", "e.", "out/_/etc/p.png"),
        ("{name}.png", "...gif", "out/...png"), ("{dir}/{name}.png", "a.gif", "out/./a.png"),
        ("{name}", "-.gif", "out/-"), ("{name}{ext}", "....", "out/..."),
        ("/abs/{name}.png", "a.gif", "/abs/a.png"), ("../{name}.png", "a.gif", "out/../a.png"),
    ])
    func `a name of a file is one name of an output`(
        pattern: String, file: String, output: String
    ) throws {
        let naming = OutputNaming(folder: "out", pattern: try OutputNaming.Pattern(pattern))
        #expect(naming.output(for: NamedInput(path: file)) == output)
    }

    @Test func `names and folders of a caller do not lead out`() throws {
        let input = NamedInput(
            name: "../x", fileExtension: "/y", number: 1, label: "l", path: nil,
            subfolder: "../../etc")
        for (pattern, output) in [
            ("{name}/{ext}.png", "out/.._x/_y.png"), ("{dir}/a.png", "out/etc/a.png"),
        ] {
            let naming = OutputNaming(folder: "out", pattern: try OutputNaming.Pattern(pattern))
            #expect(naming.output(for: input) == output)
        }
    }
}
