import Foundation
import Glibc
import HTTPSupport
import LazyBase

/// A real, headless Chromium that shows one page, driven through its debugging pipe.
///
/// Pages come from a server of its own on 127.0.0.1, under whose root lie the files given to it. All
/// calls block; one thread at a time. It dies with its owner or with the process.
public final class Browser {
    /// Why something could not be had from the browser.
    public struct Failure: Error, CustomStringConvertible {
        /// One sentence.
        public let description: String
    }

    /// A file that pages may ask for.
    public struct File: Sendable {
        /// Its name behind the root, its media type, and what it holds.
        public let name: String, type: String, bytes: [UInt8]

        /// Makes a file; `type` is its media type.
        public init(_ name: String, type: String, _ bytes: [UInt8]) {
            (self.name, self.type, self.bytes) = (name, type, bytes)
        }
    }

    /// Whether there is a browser on this machine.
    public static var isInstalled: Bool { program != nil }

    private static let program: String? = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first(
        where: { FileManager.default.isExecutableFile(atPath: $0) })

    private let process: pid_t
    private let lifeline: CInt
    private let input: CInt
    private let output: CInt
    /// The folder of all its files, which goes with it.
    public let profile: String
    private let server: ScriptedServer
    private var received: [UInt8] = []
    private var lastCall = 0
    private var session: String?
    private var loadEvents = 0
    /// What pages and the browser reported since the last `open`: problems and requests.
    var reports: [[String: Any]] = []

    /// Starts a browser and opens an empty page of its server, `width` by `height` pixels large.
    ///
    /// `readsFiles` lets the scripts of a page that is a file read the pixels of other files.
    public init(files: [File], width: Int = 400, height: Int = 300, readsFiles: Bool = false) throws
    {
        guard let program = Self.program else {
            throw Failure(description: "chromium is not installed.")
        }
        server = try Self.serve(files)
        profile = "\(NSTemporaryDirectory())/lazyimg-browser-\(UUID().uuidString)"
        guard let toBrowser = Self.pipe(), let fromBrowser = Self.pipe() else {
            throw SystemError.last
        }
        // The debugging pipe is read from descriptor 3 and written to 4.
        let options = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--mute-audio",
            "--disable-extensions", "--hide-scrollbars", "--force-color-profile=srgb",
            "--autoplay-policy=no-user-gesture-required", "--window-size=\(width),\(height)",
            "--user-data-dir=\(profile)", "--remote-debugging-pipe",
            readsFiles ? "--allow-file-access-from-files" : "", "about:blank",
        ].joined(separator: " ")
        (process, lifeline) = try ChildProcess.start(
            ["/bin/bash", "-c", Self.script, "browser", profile, program, options],
            handing: [toBrowser.reader, fromBrowser.writer])
        close(toBrowser.reader)
        close(fromBrowser.writer)
        input = toBrowser.writer
        output = fromBrowser.reader
        try attach(width: width, height: height)
    }

    /// Runs the browser in a process group of its own until the lifeline ends, then ends all of its processes and
    /// removes their files.
    ///
    /// A signal to this process and its children, such as that of Ctrl-C, ends the lifeline, not this script.
    private static let script = """
        trap : INT TERM HUP
        mkdir -p "$1"
        TMPDIR=$1 setsid $2 $3 3<&8 4>&9 8<&- 9>&- 0</dev/null >/dev/null 2>&1 &
        exec 8<&- 9>&-
        cat >/dev/null
        kill -9 -- -$! 2>/dev/null
        wait $! 2>/dev/null
        for try in {1..50}; do
            rm -rf "$1" 2>/dev/null
            pgrep -g $! >/dev/null || [ -e "$1" ] || break
            sleep 0.1
        done
        """

    deinit {
        close(input)
        close(output)
        close(lifeline)
        var status: CInt = 0
        waitpid(process, &status, 0)
        server.stop()
    }

    /// The value of an expression, awaited, as a JSON object, array, number or text.
    public func evaluate(_ expression: String, within seconds: Double = 60) throws -> Any? {
        let reply = try call(
            "Runtime.evaluate",
            ["expression": expression, "awaitPromise": true, "returnByValue": true], seconds)
        if let problem = reply["exceptionDetails"] as? [String: Any] {
            let exception = problem["exception"] as? [String: Any]
            throw Failure(
                description: "The page says: \(exception?["description"] ?? problem["text"] ?? "")")
        }
        return (reply["result"] as? [String: Any])?["value"]
    }

    /// What the page looks like now, as a PNG file.
    public func screenshot() throws -> [UInt8] {
        let reply = try call("Page.captureScreenshot", ["format": "png"], 60)
        guard let text = reply["data"] as? String, let data = Data(base64Encoded: text) else {
            throw Failure(description: "There is no picture of the page.")
        }
        return Array(data)
    }

    private func attach(width: Int, height: Int) throws {
        let targets = try call("Target.getTargets", [:], 60)["targetInfos"] as? [[String: Any]]
        let page = targets?.first { $0["type"] as? String == "page" }
        guard let id = page?["targetId"] as? String else {
            throw Failure(description: "The browser shows no page.")
        }
        let reply = try call("Target.attachToTarget", ["targetId": id, "flatten": true], 60)
        session = reply["sessionId"] as? String
        _ = try call(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false], 60)
        _ = try call("Page.enable", [:], 60)
        _ = try call("Page.navigate", ["url": server.url("/").absoluteString], 60)
        try waitForPage()
    }

    private func waitForPage() throws {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            // A load event may arrive while the page is asked.
            let seen = loadEvents
            let state = try evaluate("document.readyState + document.title") as? String
            if state == "completeready" { return }
            while loadEvents == seen { _ = try nextMessage(before: end, of: "Page.navigate") }
        }
    }

    /// Goes to an address, and returns after the load event.
    func navigate(_ url: String) throws {
        let seen = loadEvents
        _ = try call("Page.navigate", ["url": url], 60)
        let end = ContinuousClock.now + .seconds(60)
        while loadEvents == seen { _ = try nextMessage(before: end, of: "Page.navigate") }
    }

    /// The address of a file of its server.
    public func url(_ name: String) -> String { server.url("/" + name).absoluteString }

    @discardableResult
    func call(
        _ method: String, _ parameters: [String: Any], _ seconds: Double = 60
    ) throws -> [String: Any] {
        lastCall += 1
        var message: [String: Any] = ["id": lastCall, "method": method, "params": parameters]
        if let session { message["sessionId"] = session }
        var bytes = Array(try JSONSerialization.data(withJSONObject: message)) + [0]
        while !bytes.isEmpty {
            let count = write(input, bytes, bytes.count)
            guard count > 0 else { throw SystemError.last }
            bytes.removeFirst(count)
        }
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            let reply = try nextMessage(before: end, of: method)
            guard reply["id"] as? Int == lastCall else { continue }
            if let error = reply["error"] as? [String: Any] {
                throw Failure(description: "\(method): \(error["message"] ?? "refused").")
            }
            return reply["result"] as? [String: Any] ?? [:]
        }
    }

    /// Messages end with a zero byte.
    private func nextMessage(
        before end: ContinuousClock.Instant, of method: String
    ) throws -> [String: Any] {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if let zero = received.firstIndex(of: 0) {
                let message = Data(received[..<zero])
                received.removeSubrange(...zero)
                let object = try JSONSerialization.jsonObject(with: message) as? [String: Any]
                if object?["method"] as? String == "Page.loadEventFired" { loadEvents += 1 }
                if let object, object["method"] != nil { reports.append(object) }
                return object ?? [:]
            }
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard ContinuousClock.now < end, poll(&waiting, 1, 1000) >= 0 else {
                throw Failure(description: "The browser does not answer \(method).")
            }
            guard waiting.revents != 0 else { continue }
            let count = read(output, &chunk, chunk.count)
            guard count > 0 else { throw Failure(description: "The browser has gone.") }
            received += chunk[..<count]
        }
    }

    private static func pipe() -> (reader: CInt, writer: CInt)? {
        var ends: [CInt] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func serve(_ files: [File]) throws -> ScriptedServer {
        try ScriptedServer { request in
            if request.path == "/" {
                return .answer(
                    headers: [("Content-Type", "text/html")],
                    body: Array("<title>ready</title><body style='margin:0;background:#fff'>".utf8))
            }
            let path = String(request.path.prefix { $0 != "?" })
            guard let file = files.first(where: { "/" + $0.name == path }) else {
                return .answer(404)
            }
            return .serve(file.bytes, to: request, type: file.type)
        }
    }
}
