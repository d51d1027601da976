import FoundationEssentials
import Glibc
import HTTPSupport
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

/// The executable against nginx: what it asks for, what it keeps, what it says.
@Suite(.ownThreads) struct RemoteTests {
    private typealias Response = ScriptedServer.Response
    private let server: Nginx
    private let scratch = Scratch()
    private let name = "cli-\(UInt64.random(in: 0 ... .max)).gif"
    private let bytes = Tool.bytes(Media.path("delays.gif"))

    init() throws {
        server = try Nginx.shared()
        try server.put(bytes, as: name)
    }

    private func url(_ folder: String = "/") -> String {
        server.url(folder + name).absoluteString
    }

    private func run(_ arguments: String...) -> Tool.Outcome {
        Tool.run(arguments + ["--cache-dir", scratch.path("cache")])
    }

    private func statuses(_ folder: String) -> [Int] { server.log(of: folder + name).map(\.status) }

    @Test func `a fresh response is loaded once for all commands`() {
        let first = run("fetch", url("/cached/"), "-o", "-")
        let second = run("fetch", url("/cached/"), "-o", "-")
        let info = run("info", url("/cached/"), "--json")
        #expect(first.status == 0 && first.errors.contains(": 0 B") == false)
        #expect(first.output == bytes && second.output == bytes)
        #expect(second.errors.contains("from the cache"))
        #expect(info.text.contains("\"type\": \"gif\""))
        #expect(statuses("/cached/") == [200])
    }

    @Test func `the proxy of the environment gets the whole URL`() throws {
        let bytes = bytes
        let proxy = try ScriptedServer { request in
            request.path == "http://pictures.invalid/a.gif" ? .answer(body: bytes) : .answer(404)
        }
        let outcome = Tool.shell(
            "http_proxy=http://127.0.0.1:\(proxy.port) no_proxy= \"$lazyimg\" fetch"
                + " http://pictures.invalid/a.gif -o - --cache-dir '\(scratch.path("cache"))'")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == bytes)
        #expect(proxy.requests.first?["Host"] == "pictures.invalid")
    }

    @Test func `a stale response is validated once`() {
        _ = run("fetch", url("/stale/"), "-o", "-")
        let second = run("fetch", url("/stale/"), "-o", "-", "--json")
        #expect(second.output == bytes)
        #expect(second.errors.contains("\"from\": \"revalidated\""))
        #expect(statuses("/stale/") == [200, 304])
    }

    @Test func `--offline uses only the cache`() {
        let miss = run("info", url("/stale/"), "--offline", "--json")
        #expect(miss.status == 66)
        #expect(miss.errors.contains("\"code\": \"notCached\""))
        _ = run("prefetch", url("/stale/"))
        let hit = run("info", url("/stale/"), "--offline", "--json")
        #expect(hit.status == 0)
        #expect(statuses("/stale/") == [200])
    }

    @Test func `--refresh loads again without a condition`() {
        _ = run("prefetch", url("/cached/"))
        #expect(run("fetch", url("/cached/"), "--refresh", "-o", "-").output == bytes)
        let log = server.log(of: "/cached/" + name)
        #expect(log.map(\.status) == [200, 200])
        #expect(log.allSatisfy { $0.ifNoneMatch.isEmpty })
    }

    @Test func `--no-cache neither reads nor writes the cache`() {
        for _ in 1...2 {
            #expect(run("fetch", url("/cached/"), "--no-cache", "-o", "-").output == bytes)
        }
        #expect(statuses("/cached/") == [200, 200])
        #expect(run("cache", "stats", "--json").text.contains("\"caches\": []"))
    }

    @Test func `a remote file plays like a local one`() {
        let local = Tool.run([
            "play", Media.path("delays.gif"), "--frames", "-", "--format", "framehash",
        ])
        let remote = run("play", url(), "--frames", "-", "--format", "framehash")
        #expect(remote.status == 0)
        #expect(remote.output == local.output)
        let picture = Tool.run(["poster", Media.path("delays.gif"), "-o", "-"])
        #expect(run("poster", url(), "-o", "-").output == picture.output)
        let shown = run("play", url(), "--cells", "8x4", "--untimed")
        #expect(shown.status == 0 && shown.text.contains("\u{1B}["))
    }

    @Test func `several downloads are complete files in a folder`() throws {
        let other = "other-" + name
        try server.put([1, 2, 3], as: other)
        let folder = scratch.path("out")
        let address = server.url("/" + other).absoluteString
        let first = run("fetch", url(), address, "-o", folder)
        #expect(first.status == 0, "\(first.errors)")
        #expect(scratch.names("out") == [name, other].sorted())
        #expect(Tool.bytes(scratch.path("out/" + name)) == bytes)
        let second = run("fetch", url(), "-o", folder + "/")
        #expect(second.status == 73)
        let third = run("fetch", url(), "-o", scratch.path("out/" + other), "--force")
        #expect(third.status == 0)
        #expect(Tool.bytes(scratch.path("out/" + other)) == bytes)
        let twice = run("fetch", url(), url("/cached/"), "-o", scratch.path("twice"), "--json")
        #expect(twice.status == 1)
        #expect(scratch.names("twice") == [name])
    }

    @Test func `a download that a signal ended continues`() throws {
        let content = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) }
        let server = try ScriptedServer { request in
            // The first answer stops in its middle and waits for the client to go.
            request.index == 0
                ? [
                    .send(Response.head(200, headers: [("ETag", "\"1\"")], count: 400_000)),
                    .send(Array(content[..<200_000])), .waitForClose,
                ]
                : .serve(content, to: request, etag: "\"1\"")
        }
        let output = scratch.path("large")
        let arguments = [
            "fetch", server.url("/a.bin").absoluteString, "-o", output, "--cache-dir",
            scratch.path("cache"), "--json",
        ]
        let process = Tool.start(arguments)
        while suspendedBytes() < 100_000, isRunning(process) { sched_yield() }
        kill(process, SIGINT)
        #expect(Tool.wait(for: process) == 130)
        #expect(!scratch.names().contains("large"))
        let again = Tool.run(arguments)
        #expect(again.status == 0, "\(again.errors)")
        #expect(Tool.bytes(output) == content)
        #expect(again.text.contains("\"from\": \"resumed\""))
        #expect(server.requests.count == 2)
        #expect(server.requests.last?["Range"]?.hasPrefix("bytes=") == true)
        #expect(server.requests.last?["If-Range"] == "\"1\"")
        #expect(server.sight.sentBytes < 510_000)
    }

    private func isRunning(_ process: pid_t) -> Bool {
        let state = String(decoding: Tool.bytes("/proc/\(process)/stat"), as: UTF8.self)
        return !state.isEmpty && !state.contains(") Z ")
    }

    private func suspendedBytes() -> Int {
        Tool.names(in: scratch.path("cache/http/partial")).reduce(0) { sum, name in
            var status = stat()
            stat(scratch.path("cache/http/partial/" + name), &status)
            return sum + Int(status.st_size)
        }
    }

    @Test func `each URL of a list is prefetched once`() throws {
        let list = scratch.path("list")
        let missing = server.url("/status/404").absoluteString
        Tool.write(
            Array("# pictures\n\(url("/cached/"))\n\n  \(url("/cached/"))\n\(missing)\n".utf8),
            to: list)
        let outcome = run("prefetch", list, "--json")
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("\"addresses\": 2"))
        #expect(outcome.text.contains("\"loaded\": 1"))
        #expect(outcome.text.contains("\"failed\": 1"))
        #expect(statuses("/cached/") == [200])
        let words = run("prefetch", url("/cached/"))
        #expect(words.errors == "1 URL: 0 loaded (0 B), 1 already in the cache\n")
    }

    @Test func `another URL is used while the network is constrained`() throws {
        let small = "small-" + name
        try server.put(Tool.bytes(Media.path("loop-0.gif")), as: small)
        let address = server.url("/" + small).absoluteString
        let command = "\"$lazyimg\" fetch '\(url())' -o - --low-data '\(address)' --no-cache"
        let constrained = Tool.shell("LAZYIMG_LOW_DATA=1 \(command)")
        #expect(constrained.output == Tool.bytes(Media.path("loop-0.gif")))
        #expect(Tool.shell("LAZYIMG_LOW_DATA=0 \(command)").output == bytes)
        #expect(statuses("/") == [200])
    }

    @Test(
        .needs("dbus-daemon"),
        arguments: [UInt8(1), 2])
    func `the system's network conditions decide without the environment`(
        number: UInt8
    ) throws {
        let bus = try MessageBus()
        let service = try NetworkService(on: bus, number)
        let small = "small-" + name
        try server.put(Tool.bytes(Media.path("loop-0.gif")), as: small)
        let address = server.url("/" + small).absoluteString
        let system = "export DBUS_SYSTEM_BUS_ADDRESS='\(bus.address)'; unset LAZYIMG_LOW_DATA; "
        let options = "--low-data '\(address)' --no-cache"
        let isMetered = number == 1
        let wanted = isMetered ? Tool.bytes(Media.path("loop-0.gif")) : bytes
        #expect(
            Tool.shell("\(system) \"$lazyimg\" fetch '\(url())' -o - \(options)").output == wanted)
        let info = Tool.shell("\(system) \"$lazyimg\" info '\(url())' --json \(options)")
        #expect(info.status == 0)
        #expect(service.questions == 2)
        let doctor = Tool.shell("\(system) \"$lazyimg\" doctor").text
        #expect(
            doctor.contains(
                "NetworkManager says that the network is \(isMetered ? "" : "not ")metered."))
    }

    @Test func `the best URL within the budget is used`() throws {
        let small = Tool.bytes(Media.path("loop-0.gif"))
        try server.put(small, as: "small-" + name)
        let address = server.url("/small-" + name).absoluteString
        let lost = server.url("/no-" + name).absoluteString
        let others = ["--alternative", lost, "--alternative", address, "--no-cache"]
        func output(_ arguments: [String]) -> [UInt8] {
            Tool.run(["fetch"] + arguments + ["-o", "-", "--retries", "0"] + others).output
        }
        #expect(output([url(), "--budget", "\(bytes.count)"]) == bytes)
        #expect(output([url(), "--budget", "\(bytes.count - 1)"]) == small)
        #expect(output([lost]) == small)
        // Where nothing fits it is the smallest.
        #expect(output([url(), "--budget", "1"]) == small)
        let info = Tool.run(["info", lost, "--json", "--retries", "0"] + others)
        #expect(info.status == 0 && info.text.contains("\"type\": \"gif\""))
        let none = Tool.run(["fetch", lost, "-o", "-", "--alternative", lost, "--no-cache"])
        #expect(none.status == 66)
    }

    @Test func `a poster uses the fallback image, and reports it`() throws {
        let picture = Media.path("loop-0.gif")
        let output = scratch.path("poster.png")
        let lost = server.url("/no-" + name).absoluteString
        let arguments = ["poster", lost, "-o", output, "--fallback", picture, "--no-cache"]
        let outcome = Tool.run(arguments)
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("The image is that of \(picture)."))
        #expect(Tool.bytes(output).starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let json = Tool.run(arguments + ["--json", "--force"])
        #expect(json.status == 0 && json.text.contains("\"code\": \"status\""))
        // What a wrong word or an output is to blame for stays a failure.
        #expect(
            Tool.run(["poster", lost, "-o", "/proc/no.png", "--fallback", picture]).status != 0)
        #expect(
            Tool.run(["poster", lost, "-o", output, "--fallback", "-", "--force"]).status == 64)
        let both = ["poster", lost, "-o", output, "--fallback", "/no/such", "--force"]
        #expect(Tool.run(both + ["--no-cache"]).status == 66)
    }

    @Test func `a header field is sent`() {
        #expect(run("info", url("/auth/")).status == 77)
        #expect(run("info", url("/auth/"), "--header", "Authorization: Bearer x").status == 0)
    }

    @Test func `the authority of a certificate is that of the environment`() {
        let address = server.url("/" + name, secure: true).absoluteString
        let command = "\"$lazyimg\" fetch '\(address)' -o - --no-cache --retries 0"
        let known = Tool.shell("SSL_CERT_FILE='\(server.authority)' \(command)")
        #expect(known.output == bytes, "\(known.errors)")
        let unknown = Tool.shell(command + " --json")
        #expect(unknown.status == 69)
        #expect(unknown.errors.contains("\"code\": \"tls\""))
    }

    @Test func `the caches can be counted, pruned and emptied`() throws {
        _ = run("prefetch", url("/cached/"), url("/stale/"))
        #expect(run("cache", "stats", "--json").text.contains("\"entries\": 2"))
        #expect(run("cache", "rm", url("/stale/")).errors.hasPrefix("1 entry removed"))
        #expect(run("cache", "rm", url("/stale/")).status == 66)
        #expect(run("cache", "prune", "--older-than", "1d").errors.hasPrefix("0 entries removed"))
        try damageOneEntry()
        #expect(run("fetch", url("/cached/"), "-o", "-").output == bytes)
        #expect(run("cache", "prune", "--max-size", "0").errors.hasPrefix("1 entry removed"))
        _ = run("prefetch", url("/cached/"))
        #expect(run("cache", "rm", "*").errors.hasPrefix("1 entry removed"))
        #expect(run("cache", "stats", "--json").text.contains("\"entries\": 0"))
        #expect(run("cache", "stats", "--store", "none").status == 66)
    }

    private func damageOneEntry() throws {
        let root = scratch.path("cache/http")
        for shard in Tool.names(in: root) where shard.count == 2 {
            for entry in Tool.names(in: root + "/" + shard) where entry.count == 64 {
                let path = "\(root)/\(shard)/\(entry)"
                let descriptor = open(path, O_WRONLY)
                defer { close(descriptor) }
                // Somewhere in the body: the header is short, and the picture is not.
                var byte: UInt8 = 0xA5
                let size = lseek(descriptor, 0, SEEK_END)
                try #require(pwrite(descriptor, &byte, 1, size / 2) == 1)
            }
        }
    }

    @Test func `an invalid line of a list does not stop the others`() throws {
        let list = scratch.path("list")
        let text = "\u{FEFF}\(url())\r\n\r\n# words\r\nno address\r\n  \(url())  \r\n"
        Tool.write(Array(text.utf8), to: list)
        let outcome = run("prefetch", list)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("list:4: This is not a URL: no address."))
        #expect(outcome.errors.contains("2 URLs: 1 loaded"))
        #expect(statuses("/") == [200])
    }

    @Test func `a list with only an invalid line is a usage error`() {
        let list = scratch.path("list")
        Tool.write(Array("no address".utf8), to: list)
        #expect(run("prefetch", list).status == 64)
    }

    @Test func `input that is not media is reported as such`() throws {
        let words = "words-" + name
        for (text, sentence) in [
            ("<html>", "This is an HTML document, which lazyimg does not read."),
            ("words", "The input is not media that lazyimg knows."),
        ] {
            try server.put(Array(text.utf8), as: words + "\(text.count)")
            let outcome = run("info", server.url("/" + words + "\(text.count)").absoluteString)
            #expect(outcome.status == 65)
            #expect(outcome.errors.contains(sentence))
        }
        let foreign = run("info", "ftp://example.invalid/a.gif")
        #expect(foreign.status == 66 && foreign.errors.contains("URLs begin with http://"))
    }

    @Test func `the limit is on bytes read, not on the total size`() throws {
        let clip = "long-" + name + ".mp4"
        let bytes = Tool.bytes(Media.path("clip.mp4"))
        // Free space behind the movie makes it large and costs nothing to pass over.
        let rest: [UInt8] = [0x00, 0x10, 0x00, 0x00] + Array("free".utf8)
        try server.put(
            bytes + rest + [UInt8](repeating: 0, count: (1 << 20) - 8), as: clip)
        let address = server.url("/" + clip).absoluteString
        let info = run("info", address, "--max-download", "700K", "--json")
        #expect(info.status == 0, "\(info.errors)")
        #expect(info.text.contains("\"from\": \"ranges\""))
        #expect(run("info", address, "--max-download", "10K").status == 76)
        #expect(run("fetch", address, "--max-download", "700K", "-o", "-").status == 76)
    }

    @Test(arguments: ["/dev/null", "/proc", "/etc/passwd"])
    func `prefetching without a folder is an error`(folder: String) {
        let outcome = Tool.run(["prefetch", url("/cached/"), "--cache-dir", folder])
        #expect([73, 77].contains(outcome.status), "\(outcome.errors)")
        #expect(statuses("/cached/").isEmpty)
        // A download does without the cache.
        let fetched = Tool.run(["fetch", url("/cached/"), "--cache-dir", folder, "-o", "-"])
        #expect(fetched.output == bytes)
    }

    @Test func `a response that must not be stored is reported`() throws {
        let server = try ScriptedServer { request in
            .serve([1, 2, 3], to: request, cacheControl: "no-store")
        }
        let outcome = run("prefetch", server.url("/a").absoluteString, "--json")
        #expect(outcome.status == 0 && outcome.text.contains("\"notKept\": 1"))
    }

    @Test func `a folder for a poster is created`() {
        let outcome = run("poster", url(), "-o", scratch.path("posters/"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(scratch.names("posters") == [name.replacing(".gif", with: ".png")])
    }

    @Test func `the loop of a URL is printed and changed`() {
        let told = run("loop", url("/cached/"))
        #expect(told.status == 0, "\(told.errors)")
        #expect(told.text == "\(url("/cached/")): gif, plays forever\n")
        let output = scratch.path("new.gif")
        #expect(run("loop", url("/cached/"), "--set", "3", "-o", output).status == 0)
        #expect(Tool.run(["loop", output]).text == "\(output): gif, plays 3 times\n")
        #expect(run("loop", url("/cached/"), "--set", "3", "-o", scratch.path("to/")).status == 0)
        #expect(scratch.names("to") == [name])
        #expect(statuses("/cached/") == [200])
        #expect(run("loop", url("/cached/"), "--set", "3", "--in-place").status == 64)
        #expect(run("loop", url("/none/")).status == run("info", url("/none/")).status)
    }

    @Test func `errors name the help of their command`() {
        #expect(
            run("cache", "prune", "--older-than", "1").errors.contains(
                "'lazyimg cache prune --help'"))
        #expect(run("fetch").errors.contains("'lazyimg fetch --help'"))
    }

    @Test(arguments: [
        (["nothing"], "'lazyimg nothing'"), (["help", "nothing"], "'lazyimg nothing'"),
        (["help", "cache", "nothing"], "'lazyimg cache nothing'"),
    ]) func `an unknown command is named`(arguments: [String], name: String) {
        let outcome = Tool.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("There is no command \(name)."))
        #expect(Tool.run(["help", "cache", "prune"]).status == 0)
    }
}
