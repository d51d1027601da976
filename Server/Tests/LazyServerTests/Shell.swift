import Dispatch
import FoundationEssentials
import Glibc

/// Runs a line of a shell; its output, and its status.
///
/// On a thread that may block: those of tasks are few, and answer what the line asks for.
func shell(_ line: String) async -> (text: String, status: Int32) {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: output(of: line)) }
    }
}

private func output(of line: String) -> (text: String, status: Int32) {
    guard let stream = popen(line, "r") else { return ("", -1) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = fread(&buffer, 1, buffer.count, stream)
        if count <= 0 { break }
        text += buffer[..<count]
    }
    let status = pclose(stream)
    return (String(decoding: text, as: UTF8.self), status >> 8)
}

/// Lines of bash, with the program and the scripts of the tests.
enum Shell {
    /// The folder of the repository, with a slash at its end.
    static let root = String(#filePath.dropLast("Server/Tests/LazyServerTests/Shell.swift".count))

    /// The debug build beside the tests, or what `LAZYIMG_SERVER` names.
    static let program =
        ProcessInfo.processInfo.environment["LAZYIMG_SERVER"]
        ?? root + ".build/debug/lazyimg-server"

    /// Functions for lines: `serve PORT FLAG…` starts a server whose admin port is one more, and waits for it;
    /// `stop PORT` ends it; `metric PORT NAME` prints a metric.
    private static var functions: String {
        """
        set -u
        # What a loaded machine needs.
        export LAZYIMG_TIMEOUT=120
        root='\(root)' program='\(program)' scripts='\(root)Server/Tests/Scripts'
        dir=$(mktemp -d)
        export XDG_CACHE_HOME=$dir/cache
        trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$dir"' EXIT
        wait_for() { for try in $(seq 300); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done; echo "never: $*"; }
        serve() {
            local port=$1
            shift
            "$program" --port $port --admin-port $((port + 1)) --unsafe --drain-delay 0 "$@" 2>$dir/log$port &
            eval server$port=$!
            wait_for curl -fs --noproxy '*' http://127.0.0.1:$((port + 1))/readyz
        }
        stop() { eval "kill -\\${2:-TERM} \\$server$1; wait \\$server$1"; }
        metric() { curl -s http://127.0.0.1:$(($1 + 1))/metrics | sed -n "s/^$2 //p" | sed 's/\\.0$//'; }

        """
    }

    /// Runs lines; what they print, and their status.
    static func run(_ lines: String) -> (text: String, status: Int32) {
        let path = "/tmp/lazyimg-test-\(getpid())-\(UInt64.random(in: 0 ... .max)).sh"
        guard let file = fopen(path, "w") else { return ("", -1) }
        fputs(functions + lines, file)
        fclose(file)
        defer { unlink(path) }
        return output(of: "bash '\(path)' 2>&1")
    }
}
