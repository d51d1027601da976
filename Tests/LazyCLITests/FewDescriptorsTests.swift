import Support
import Testing
import ToolSupport

@testable import LazyBase

/// Processes that may open few files.
@Suite(.ownThreads) struct FewDescriptorsTests {
    private let scratch = Scratch()

    private static let commands = [
        "info a.gif", "poster a.gif -o out/a.png", "poster -r in -o out -Q",
        "animate a.gif -o out/a.webp -Q", "convert a.gif -o out/a.webp --allow-larger -Q",
        "convert -r in -o out -f webp --allow-larger -Q", "play a.gif --frames out -Q",
        "sheet a.gif -o out/s.jpg -Q",
        "loop a.gif --loop 3 -o out/l.gif", "gallery in -o out -Q",
        "batch poster in/1.gif in/2.gif -o out -j 16 --no-journal -Q",
        "fetch http://127.0.0.1:1/a.gif -o out/f.gif", "formats", "ls in", "cache stats",
    ]

    /// Runs a command that may open a number of files; the test's process may leave some open.
    private func run(_ command: String, free: Int) -> Tool.Outcome {
        let gif = Media.path("delays.gif")
        return Tool.shell(
            "cd '\(scratch.path)' && rm -rf out && mkdir -p in out && cp '\(gif)' a.gif"
                + " && for i in 1 2 3 4 5 6 7 8; do cp '\(gif)' in/$i.gif; done"
                + " && limit=0 && free=0 && while [ $free -lt \(free) ]; do"
                + " [ -e /proc/$$/fd/$limit ] || free=$((free + 1)); limit=$((limit + 1)); done"
                + " && ulimit -n $limit && XDG_CACHE_HOME=\"$PWD/cache\" \"$lazyimg\" \(command)")
    }

    @Test(arguments: commands) func `a command ends with its result or a sentence`(
        command: String
    ) {
        for free in [1, 2, 3, 5, 6, 9, 17, DescriptorBudget.base - 1] {
            let outcome = run(command, free: free)
            #expect(outcome.status == 74, "\(free): \(outcome.errors)")
            #expect(outcome.errors.contains("files open"), "\(free): \(outcome.errors)")
        }
        for more in [0, 1, 2, 4, 12, 40] {
            let outcome = run(command, free: DescriptorBudget.base + more)
            // Nobody answers at the address.
            let wanted: CInt = command.hasPrefix("fetch") ? 69 : 0
            #expect(outcome.status == wanted, "\(more): \(outcome.errors)")
        }
    }

    @Test func `a batch has as many jobs as there are descriptors for`() {
        let outcome = run(
            "batch poster in/*.gif -o out -j 16 --no-journal --isolate always", free: 61)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(scratch.names("out").count == 8)
    }

    @Test func `jobs are as many as the descriptors allow`() {
        #expect(DescriptorBudget.jobs(1) == 1)
        #expect(DescriptorBudget.jobs(1_000_000) < DescriptorBudget.limit / 4)
        #expect(DescriptorBudget.jobs(.max) >= 1)
    }
}
