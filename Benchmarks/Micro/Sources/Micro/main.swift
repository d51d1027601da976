// What single operations cost: medians of five runs, in nanoseconds.
//
//     swift run -c release --package-path Benchmarks/Micro micro [NAME]
let harness = Harness(filter: CommandLine.arguments.dropFirst().first ?? "")
ImageCacheBenchmarks(harness: harness).run()
try DataCacheBenchmarks(harness: harness).run()
await PipelineBenchmarks(harness: harness).run()
