import Glibc
import LazyIsolation
import LazyMedia
import Support
import Testing
import ToolSupport

@testable import LazyCLI

/// Machines that lack something, and what `doctor` says of them.
@Suite(.ownThreads) struct MachineTests {
    private let scratch = Scratch()
    private static let clip = Media.path("small.mp4")

    private static func machine(
        processor: String = "x86-64 with AVX2",
        _ environment: [String: String] = ["LANG": "C.UTF-8", "HOME": "/home/me"],
        lacks: Set<String> = []
    ) -> Machine {
        Machine(
            processor: processor, environment: { environment[$0] },
            isFolder: { !lacks.contains($0) }, canWrite: { !lacks.contains($0) })
    }

    @Test func `a complete machine has no effects`() {
        let facts = Self.machine().facts
        #expect(facts.map(\.effect) == Array(repeating: nil, count: facts.count))
        #expect(
            facts.map(\.found) == [
                "x86-64 with AVX2", "C.UTF-8", "/home/me", "/var/tmp", "yes", "yes",
            ])
    }

    @Test(arguments: [
        (machine(processor: "x86-64 without AVX2"), "processor", "results are the same"),
        (machine(["HOME": "/home/me"]), "locale", "files keep their names"),
        (
            machine(["HOME": "/home/me", "LC_ALL": "de_DE.ISO-8859-1", "LANG": "C.UTF-8"]),
            "locale", "ASCII"
        ),
        (machine(["LANG": "en_US.utf8"]), "home", "--cache-dir"),
        (machine(["LANG": "en_US.utf8", "HOME": "here"]), "home", "--cache-dir"),
        (machine(lacks: ["/home/me"]), "home", "--cache-dir"),
        (machine(lacks: ["/var/tmp", "/tmp"]), "temporary", "TMPDIR"),
        (machine(lacks: ["/dev/shm"]), "/dev/shm", "by files"),
        (machine(lacks: ["/proc/self"]), "/proc", "signal 4"),
    ])
    func `what is missing is named with what follows from it`(
        machine: Machine, name: String, effect: String
    ) throws {
        let affected = machine.facts.filter { $0.effect != nil }
        #expect(affected.map(\.name) == [name])
        let fact = try #require(affected.first)
        #expect(fact.effect?.contains(effect) == true)
        #expect(fact.text == "\(fact.found); \(fact.effect ?? "")")
    }

    @Test func `without isolation doctor says what is refused`() {
        let facts = MachineFact.isolation { () throws(MediaError) in
            throw MediaError(.environment, "No program.")
        }
        #expect(facts.map(\.found) == ["none: No program."])
        #expect(facts.first?.effect?.contains("--isolate never") == true)
    }

    @Test func `doctor has the facts in its table and in JSON`() throws {
        let doctor = "env -i HOME='\(scratch.path)' LC_ALL=de_DE.ISO-8859-1 \"$lazyimg\" doctor"
        let table = Tool.shell(doctor).text
        #expect(table.contains(/\n  locale +de_DE.ISO-8859-1, not UTF-8; files keep their names/))
        #expect(table.contains(/\n  home +\/.*\n/))
        let json = Tool.shell(doctor + " --json").text
        let parsed = try ParsedJSON.parse(json)
        #expect(json.contains("\"name\": \"locale\", \"found\": \"de_DE.ISO-8859-1, not UTF-8\""))
        #expect(parsed["machine"]?.elements?.count == 6)
        #expect(parsed["isolation"]?.elements?.count == IsolationLayer.allCases.count)
    }

    private static let canUnmount =
        Tool.shell("unshare -m sh -c 'umount -l /proc && test ! -e /proc/self'").status == 0

    @Test(.enabled(if: canUnmount && !Sanitizer.isLinked)) func `arguments need no proc`() {
        func hashes(_ way: String) -> Tool.Outcome {
            let play = "play '\(Self.clip)' --frames - --format framehash --isolate never"
            return Tool.shell("unshare -m sh -c '\(way)\"$0\" \"$@\"' \"$lazyimg\" \(play)")
        }
        let usual = hashes("")
        let without = hashes("umount -l /proc && ")
        #expect(without.status == 0, "\(without.errors)")
        #expect(without.text == usual.text && !usual.text.isEmpty)
        let version = Tool.shell("unshare -m sh -c 'umount -l /proc && \"$0\" -V' \"$lazyimg\"")
        #expect(version.text.hasPrefix("lazyimg "))
    }
}
