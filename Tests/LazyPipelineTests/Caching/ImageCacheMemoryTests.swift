import Foundation
import Support
import Testing

/// That the memory of removed images goes back to the system, and that its limit holds what is resident.
@Suite(.ownThreads, .enabled(if: !Sanitizer.isLinked, "sanitizers keep freed memory"))
struct ImageCacheMemoryTests {
    // The last is a mapping, the others come from `malloc`.
    @Test(
        arguments: [(120, 80), (300, 200), (640, 480), (2000, 1500)],
        ["all", "limit", "pressure", "released", "pipeline", "pool"])
    func `an emptied or released cache, pipeline or pool gives back its memory, round for round`(
        size: (Int, Int), way: String
    ) throws {
        // Ten thousand viewers at once are another matter.
        if way == "pool", size.0 < 300 { return }
        let worker = Process()
        worker.executableURL = URL(filePath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(path: "MemoryWorker")
        worker.arguments = ["\(size.0)", "\(size.1)", way]
        let output = Pipe()
        worker.standardOutput = output
        try worker.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        worker.waitUntilExit()
        let rounds = text.split(separator: "\n").map {
            $0.split(separator: " ").compactMap { Int($0) }
        }
        #expect(rounds.count == 4)
        for round in rounds where round.count == 3 {
            let (cost, full, empty) = (round[0], round[1], round[2])
            #expect(cost > 100_000_000)
            #expect(full <= cost * 115 / 100 + 60_000_000, "\(round)")
            // The pool of bitmaps keeps 32 MB, but not under pressure.
            #expect(empty <= (way == "pressure" ? 60_000_000 : 90_000_000), "\(round)")
        }
    }
}
