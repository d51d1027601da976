import Foundation
import LazyBase
import LazyLoading

/// Writing and reading the disk, in a temporary folder.
struct DataCacheBenchmarks {
    let harness: Harness

    func run() throws {
        let folder = NSTemporaryDirectory() + "lazy-micro-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let cache = try DataCache(folder: folder)
        for size in [10_000, 100_000, 1_000_000] {
            let data = Blob([UInt8](repeating: 7, count: size))
            let name = "\(size / 1000) KB"
            harness.measure("DataCache: write with flush, \(name)", operations: 20) {
                for number in 0..<20 { cache["\(size)/\(number)"] = data }
                cache.flush()
            }
            harness.measure("DataCache: read, \(name)", operations: 20) {
                for number in 0..<20 { use(try? cache["\(size)/\(number)"]?.bytes()) }
            }
        }
        let small = Blob([1, 2, 3])
        harness.measure("DataCache: staged write") { cache["staged"] = small }
        harness.measure("DataCache: staged read") { use(cache["staged"]) }
        cache.flush()
        harness.measure("DataCache: miss") { use(cache["nothing"]) }
        harness.measure("DataCache: contains") { use(cache.containsData(for: "10000/1")) }
        try compareWrites(in: folder + "/writes")
    }

    // MARK: - Beside plain files

    /// Writes 1,000 new entries of 64 KiB, and as many files that get their names by renaming, in turns.
    ///
    /// Nothing is removed in between: ext4 looks at each inode that was freed lately when it makes another.
    private func compareWrites(in folder: String) throws {
        guard harness.includes(Self.entries) || harness.includes(Self.files) else { return }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let bytes = [UInt8](repeating: 7, count: 1 << 16)
        var (entries, files): ([Double], [Double]) = ([], [])
        let clock = ContinuousClock()
        for round in 0..<harness.runs {
            let place = "\(folder)/\(round)"
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true)
            files.append(
                try clock.measure { try Self.writeFiles(bytes, in: place) }.seconds * 1e6)
            let cache = try DataCache(folder: place + "/cache")
            let time = clock.measure {
                for number in 0..<Self.count { cache["\(number)"] = Blob(bytes) }
                cache.flush()
            }
            entries.append(time.seconds * 1e6)
        }
        harness.report(Self.files, files)
        harness.report(Self.entries, entries, besides: files)
    }

    private static let count = 1000
    private static let entries = "DataCache: 1,000 new entries of 64 KiB, each"
    private static let files = "Plain files: 1,000 of 64 KiB, each"

    private static func writeFiles(_ bytes: [UInt8], in folder: String) throws {
        for number in 0..<count {
            let (temporary, name) = ("\(folder)/\(number).tmp", "\(folder)/\(number)")
            let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            defer { close(file) }
            guard write(file, bytes, bytes.count) == bytes.count, rename(temporary, name) == 0
            else { throw CocoaError(.fileWriteUnknown) }
        }
    }
}
