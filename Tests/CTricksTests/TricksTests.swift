import CTricks
import Support
import Testing
import ToolSupport

/// Where the tricks apply: on what they were tested with, unless they are turned off.
@Suite struct TricksTests {
    /// A machine that lives as long as the process.
    private static func machine(
        glibc: StaticString = "2.36", codecs: StaticString = "libavcodec.so.59",
        plain: StaticString? = nil, isPrivileged: Bool = false
    ) -> tricks_machine {
        func text(_ string: StaticString) -> UnsafePointer<CChar> {
            UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self)
        }
        return tricks_machine(
            glibc: text(glibc), codecs: text(codecs), plain: plain.map(text),
            is_privileged: isPrivileged ? 1 : 0)
    }

    private static func applied(_ machine: tricks_machine) -> [tricks_trick] {
        [tricks_stand_ins, tricks_conformances].filter {
            tricks_applies($0, machine) != 0
        }
    }

    #if arch(x86_64)
    @Test func `all apply on Debian 12 and 13`() {
        #expect(Self.applied(Self.machine()).count == 2)
        #expect(
            Self.applied(Self.machine(glibc: "2.41", codecs: "libavcodec.so.61")).count == 2)
        #expect(Self.applied(Self.machine(plain: "")).count == 2)
        #expect(Self.applied(Self.machine(plain: "0")).count == 2)
    }

    @Test(arguments: ["2.35", "2.37", "2.360", "3.0"] as [StaticString])
    func `another version of glibc gets no stand-ins`(
        _ glibc: StaticString
    ) {
        #expect(Self.applied(Self.machine(glibc: glibc)) == [tricks_conformances])
    }

    @Test(
        arguments: ["libavcodec.so.60", "libavcodec.so.62", "libavcodec.so"] as [StaticString])
    func `another version of FFmpeg gets no stand-ins`(_ codecs: StaticString) {
        #expect(
            Self.applied(Self.machine(codecs: codecs)) == [tricks_conformances])
    }
    #endif

    @Test func `one variable turns all off, and a privileged program has none`() {
        #expect(Self.applied(Self.machine(plain: "1")).isEmpty)
        #expect(Self.applied(Self.machine(plain: "yes")).isEmpty)
        #expect(Self.applied(Self.machine(isPrivileged: true)).isEmpty)
    }

    @Test(arguments: [("6.3.1", true), ("6.3", true), ("6.4", false), ("6.30", false), ("", false)])
    func `the linker replaces functions of one version of Swift only`(
        version: String, isReplacing: Bool
    ) {
        let scratch = Scratch()
        scratch["swiftc"] = Array(
            "#!/bin/sh\necho 'Swift version \(version) (swift-RELEASE)'\n".utf8)
        let outcome = Tool.shell(
            """
            cd '\(scratch.path)' && chmod +x swiftc
            PATH="$PWD:$PATH" '\(Project.folder)scripts/link-flags.sh' "$PWD/link"
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.contains("--icf=all"))
        #expect(outcome.text.contains("--wrap=") == isReplacing, "\(outcome.text)")
    }
}
