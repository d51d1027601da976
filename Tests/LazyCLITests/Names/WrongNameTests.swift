import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase

/// Files with wrong extensions, or without one: the content decides.
@Suite(.ownThreads) struct WrongNameTests {
    private let scratch = Scratch()

    private static let media = Tool.names(in: Media.path("."))
        .filter { !$0.hasSuffix(".md") && !$0.hasSuffix(".txt") && !$0.hasPrefix(".") }

    private func posters(_ folder: String) -> [String: [UInt8]] {
        let outcome = Tool.shell(
            "cd '\(scratch.path)' && XDG_STATE_HOME='\(scratch.path("state"))' \"$lazyimg\" poster -r \(folder) -o '\(folder)-posters' -f jpg -W 48"
        )
        #expect(outcome.status == 1, "Some media is encrypted: \(outcome.errors)")
        var found: [String: [UInt8]] = [:]
        for name in scratch.names(folder + "-posters") {
            found[name] = Tool.bytes(scratch.path("\(folder)-posters/\(name)"))
        }
        return found
    }

    @Test(arguments: [[""], ["right"], ["jpg", "mp4", "gif", "png", "mkv", "webp", "mp3", "heic"]])
    func `the poster is that of the content`(endings: [String]) {
        for folder in ["right", "wrong"] { mkdir(scratch.path(folder), 0o700) }
        for (number, name) in Self.media.enumerated() {
            let bytes = Tool.bytes(Media.path(name))
            let own = FilePath.fileExtension(of: name)
            let ending = endings == ["right"] ? own?.uppercased() : endings[number % endings.count]
            let wrong = "f\(number)" + (ending.map { $0.isEmpty ? "" : "." + $0 } ?? "")
            Tool.write(bytes, to: scratch.path("right/f\(number).\(own ?? "")"))
            Tool.write(bytes, to: scratch.path("wrong/" + wrong))
        }
        let right = posters("right")
        #expect(right.count > 60)
        let wrong = posters("wrong")
        #expect(Set(wrong.keys) == Set(right.keys))
        for (name, poster) in right {
            #expect(
                wrong[name] == poster,
                "\(name) of \(Self.media[Int(name.dropFirst().dropLast(4)) ?? 0])")
        }
    }
}
