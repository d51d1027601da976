import Glibc
import LazyBase
import LazyIsolation
import LazyKit
import LazyMedia
import Support
import Testing

// Sanitizers need system calls that the sandbox refuses, so there is none under them.
@Suite(.ownThreads, .enabled(if: !Sanitizer.isLinked))
struct SandboxTests {
    /// Attempts that are answered with an error, because libraries make them by habit.
    @Test(arguments: [
        "open /etc/passwd", "open-old /etc/passwd", "stat /etc/passwd",
        "stat-empty-path /etc/passwd",
        "statx /etc/passwd", "access /etc/passwd", "readlink /etc/mtab", "reopen x", "maps x",
        "clone3 x", "limits x", "ioctl x", "grow x", "dumpable x",
    ])
    func `A decoder is refused what it asks for by habit`(_ command: String) throws {
        let error = try #require(Hosts.outcome(command))
        #expect(error.code == .malformed, "\(error)")
        #expect(error.message.hasPrefix("refused: "), "\(command): \(error.message)")
    }

    @Test(arguments: [
        "create /tmp/lazyimg-was-here", "unlink /etc/passwd", "tcp 80", "udp 53", "abstract x",
        "exec x", "fork x", "vfork x", "kill x", "tgkill x", "ptrace x", "read-memory x",
        "execute x", "change-code x", "namespace x", "memory-file x", "ring x", "int80 x", "x32 x",
    ])
    func `A decoder that tries to break out is killed, and that is told`(_ command: String) throws {
        let error = try #require(Hosts.outcome(command))
        // Files that it may not create are refused before the call is looked at, by the kind of call.
        let isRefused = error.code == .malformed && error.message.hasPrefix("refused: ")
        #expect(
            error.code == .decoderCrashed || (command.hasPrefix("create") && isRefused), "\(error)")
        #expect(access("/tmp/lazyimg-was-here", F_OK) != 0)
    }

    @Test
    func `No secret of the host reaches a decoder`() throws {
        let secret = "a secret of nobody else 7391"
        let changed = String(decoding: secret.utf8.map { $0 + 1 }, as: UTF8.self)
        let kept = strdup(secret)
        defer { free(kept) }
        setenv("LAZYIMG_TEST_SECRET", secret, 1)
        defer { unsetenv("LAZYIMG_TEST_SECRET") }
        let folder = Scratch()
        let path = folder.path + "/secret"
        let file = open(path, O_RDWR | O_CREAT, 0o600)
        defer { close(file) }
        write(file, secret, secret.utf8.count)
        let error = try #require(Hosts.outcome("secret \(changed)"))
        #expect(error.message == "nothing found")
    }

    @Test
    func `The search for secrets finds what a decoder does have`() throws {
        // The name of its program is in the memory of each.
        let changed = String(decoding: "lazyimg-decoder".utf8.map { $0 + 1 }, as: UTF8.self)
        let error = try #require(Hosts.outcome("secret \(changed)"))
        #expect(error.message.hasPrefix("found in"))
    }

    @Test
    func `The report tells which layers stand`() throws {
        let report = try Hosts.standard().report()
        #expect(report.present.isSuperset(of: [.noNewPrivileges, .limits, .seccomp]))
        #expect(report.layers.count == IsolationLayer.allCases.count)
        #expect(report.user != 0 || !report.present.contains(.unprivileged))
        #expect(report.program.hasSuffix("lazyimg-decoder"))
    }

    /// Systems that refuse a layer, as containers and service managers do: the others stand, and are told.
    @Test(arguments: [
        ("namespaces", [IsolationLayer.namespaces]), ("landlock", [.landlock]), ("seccomp", []),
        ("filters", [.seccomp]),
    ])
    func `A layer that the system refuses leaves the others`(
        _ name: String, _ refused: [IsolationLayer]
    ) throws {
        let scratch = Scratch()
        let path = scratch.path("restricted-" + name)
        symlink(Hosts.folder + "/HostileDecoder", path)
        let report = try DecoderHost(IsolationPolicy(program: path)).report()
        let usual = try Hosts.standard().report()
        #expect(report.present == usual.present.subtracting(refused))
        for layer in refused {
            #expect(report.layers[layer] == .refused(SystemError(code: EPERM)))
        }
        // Media is decoded with what there is, unless the policy says otherwise.
        let standard = DecoderHost(IsolationPolicy(program: path))
        _ = try DecoderRegistry.standard.isolated(by: standard).open(
            FileBytes(path: Media.path("counter.gif")), limits: .local)
        var policy = IsolationPolicy.untrusted
        policy.program = path
        let untrusted = DecoderRegistry.standard.isolated(by: DecoderHost(policy))
        if refused.contains(.seccomp) {
            let error = #expect(throws: MediaError.self) {
                try untrusted.open(
                    FileBytes(path: Media.path("counter.gif")), limits: .untrusted)
            }
            #expect(error?.code == .environment)
            #expect(error?.message.contains(IsolationLayer.seccomp.summary) == true)
        } else {
            _ = try untrusted.open(
                FileBytes(path: Media.path("counter.gif")), limits: .untrusted)
        }
    }

    @Test
    func `A missing layer that is required is an error before anything is read`() throws {
        let report = try Hosts.standard().report()
        let missing = Set(IsolationLayer.allCases).subtracting(report.present)
        guard let layer = missing.first else { return }
        let host = Hosts.hostile { $0.required = [layer] }
        let error = try #require(Hosts.outcome("open /etc/passwd", by: host))
        #expect(error.code == .environment)
        #expect(error.message.contains(layer.summary))
    }
}
