import Foundation

// What single operations cost: medians of five runs, in nanoseconds.
//
//     swift run -c release --package-path Benchmarks/Micro micro [NAME]
//     swift run -c release --package-path Benchmarks/Micro micro growth TOPIC COUNT [FOLDER]
//     swift run -c release --package-path Benchmarks/Micro micro stored FOLDER COUNT
let words = Array(CommandLine.arguments.dropFirst())
if words.count > 2, words[0] == "growth", let count = Int(words[2]) {
    try await GrowthBenchmarks(count: count).run(words[1], words.count > 3 ? words[3] : nil)
    exit(0)
}
if words.count == 3, words[0] == "stored", let count = Int(words[2]) {
    try await StoredSizes(folder: words[1], count: count).run()
    exit(0)
}
let harness = Harness(filter: CommandLine.arguments.dropFirst().first ?? "")
ImageCacheBenchmarks(harness: harness).run()
try DataCacheBenchmarks(harness: harness).run()
await PipelineBenchmarks(harness: harness).run()
