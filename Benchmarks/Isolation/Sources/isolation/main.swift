import Glibc
import LazyIsolation
import LazyKit

// usage: isolation frames|posters|first-read|cancel|leaks|crowd CLIP [COUNT]
//
// Isolated decoding beside that in this process, in turn; medians.

if DecoderProgram.isRequested { DecoderProgram.run() }
DecoderHost.decodesItself()

let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 2 else {
    print("usage: isolation frames|posters|first-read|cancel|leaks|crowd CLIP [COUNT]")
    exit(64)
}
let bench = Bench(clip: words[1], count: words.count > 2 ? Int(words[2]) ?? 100 : 100)
switch words[0] {
case "frames": try bench.frames()
case "posters": try bench.posters()
case "first-read": try bench.firstRead()
case "cancel": try await bench.cancel()
case "leaks": try bench.leaks()
case "crowd": try bench.crowd()
default:
    print("There is no benchmark \(words[0]).")
    exit(64)
}
