// A process that writes into a cache until it is killed.
//
//     CacheWorker FOLDER FIRST-VERSION PARITY
//
// Entries tell their own content (CrashContent.swift). What is on disk for sure is told on standard
// output, a line each: `store NUMBER VERSION` or `data NUMBER VERSION`.
import Glibc

let words = CommandLine.arguments
guard words.count == 4, let version = Int(words[2]), let parity = Int(words[3]) else {
    print("usage: CacheWorker FOLDER FIRST-VERSION PARITY")
    exit(2)
}
do {
    var worker = try Worker(folder: words[1], firstVersion: version, parity: parity)
    try worker.run()
} catch {
    print("wrong \(error)")
    exit(1)
}
