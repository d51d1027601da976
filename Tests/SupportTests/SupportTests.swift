import CTestIsolation
import Glibc
import Support
import Testing

/// What every test stands on.
@Suite struct SupportTests {
    @Test func `tests run in an empty folder`() throws {
        let folder = try #require(getcwd(nil, 0).map { String(cString: $0) })
        #expect(folder == String(cString: ctestisolation_folder()))
        #expect(!Media.folder.hasPrefix(folder))
    }

    @Test(arguments: [
        "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
        "XDG_RUNTIME_DIR",
    ])
    func `no test sees the user's own files`(variable: String) throws {
        let scratch = try #require(getenv("LAZYIMG_TEST_SCRATCH").map { String(cString: $0) })
        let folder = try #require(getenv(variable).map { String(cString: $0) })
        #expect(folder.hasPrefix(scratch))
        // What a program started by a test is given.
        let seen = Peer.output(of: "printf %s \"$\(variable)\"")
        #expect(String(decoding: seen, as: UTF8.self) == folder)
    }

    @Test func `each program that tests ask is in the list of packages`() {
        let script = Project.folder + "scripts/install-packages.sh"
        let list = String(
            decoding: Peer.output(of: "'\(script)' --test --terminal-test --list"), as: UTF8.self)
        let packages = Set(list.split(separator: "\n").map(String.init))
        for program in Peer.programs {
            #expect(packages.contains(program.package), "\(program.command)")
        }
    }

    @Test func `a long array is shown by its beginning`() {
        let text = String(describingForTest: [UInt8](repeating: 7, count: 1_000_000))
        #expect(text.hasPrefix("1000000 elements: [7, 7, "))
        #expect(text.utf8.count < 200)
        #expect(String(describingForTest: [1, 2]) == "[1, 2]")
        let pictures = [[UInt8](repeating: 7, count: 1_000_000)]
        #expect(String(describingForTest: pictures).utf8.count < 500)
    }
}
