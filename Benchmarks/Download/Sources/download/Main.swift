// Downloads an address into nothing or into a file: `download ADDRESS [FILE]`.
import FoundationEssentials
import Glibc
import LazyLoading

@main struct Download {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, let url = URL(string: arguments[1]) else {
            print("usage: download ADDRESS [FILE]")
            exit(64)
        }
        let path = arguments.count > 2 ? arguments[2] : "/dev/null"
        let file = path == "/dev/null" ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        let answer = try await HTTPLoader().load(LoadRequest(url: url))
        var count = 0
        while let piece = try await answer.body.next() {
            count += piece.count
            if file >= 0 { writeAll(piece, to: file) }
        }
        var usage = rusage()
        getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
        print("\(count) bytes, \(usage.ru_maxrss / 1024) MiB at most")
    }

    static func writeAll(_ bytes: [UInt8], to file: CInt) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count > 0 else {
                print("The file cannot be written.")
                exit(74)
            }
            rest = rest.dropFirst(count)
        }
    }
}
