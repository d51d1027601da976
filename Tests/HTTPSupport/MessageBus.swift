internal import CBusMock
internal import Glibc
internal import LazyBase

/// A real `dbus-daemon` on a socket of its own, without services; it dies with its owner.
public final class MessageBus: Sendable {
    /// Why there is no bus.
    public struct Failure: Error, CustomStringConvertible {
        /// One sentence.
        public let description: String
    }

    /// The address of the bus.
    public let address: String
    private let folder: String
    private let process: pid_t
    private let lifeline: CInt

    private static var program: String? {
        ["/usr/bin/dbus-daemon", "/usr/local/bin/dbus-daemon"].first { access($0, X_OK) == 0 }
    }

    /// Starts it, and waits until it listens.
    public init() throws {
        guard let program = Self.program else {
            throw Failure(description: "dbus-daemon is not installed.")
        }
        var template = Array("/tmp/lazyimg-bus-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        address = "unix:path=\(folder)/bus"
        try Files.write(Array(Self.settings(address).utf8), to: folder + "/bus.conf")
        guard let ready = Sockets.pipe() else { throw SystemError.last }
        defer { close(ready.reader) }
        // A shell between, so that the bus ends with the pipe on standard input, and says when it is ready.
        (process, lifeline) = try ChildProcess.start(
            [
                "/bin/sh", "-c",
                """
                "$1" --config-file="$2" --nofork --nopidfile --print-address=8 <&- 2>/dev/null &
                exec 8>&-
                cat >/dev/null
                kill $!
                wait
                """,
                "bus", program, folder + "/bus.conf",
            ], handing: [ready.writer])
        close(ready.writer)
        var byte: UInt8 = 0
        var count = 0
        _ = fcntl(ready.reader, F_SETFL, 0)
        while true {
            count = read(ready.reader, &byte, 1)
            if count < 0, errno == EINTR { continue }
            break
        }
        if count <= 0 {
            stop()
            throw Failure(description: "dbus-daemon did not start.")
        }
    }

    deinit { stop() }

    private func stop() {
        close(lifeline)
        waitpid(process, nil, 0)
        Files.removeFolder(folder)
    }

    private static func settings(_ address: String) -> String {
        """
        <busconfig>
          <type>custom</type>
          <listen>\(address)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
            <allow user="*"/>
          </policy>
        </busconfig>
        """
    }
}

/// A stand-in for NetworkManager or the desktop's portal on a bus.
public final class NetworkService: Sendable {
    private let mock: Locked<OpaquePointer?>

    /// Takes its name on the bus, and answers with a number from then on.
    public init(on bus: MessageBus, isPortal: Bool = false, _ number: UInt8) throws {
        var mock: OpaquePointer?
        let status = lz_mock_start(bus.address, isPortal ? 1 : 0, number, &mock)
        guard status == 0, mock != nil else { throw SystemError(code: -status) }
        nonisolated(unsafe) let started = mock
        self.mock = Locked(started)
    }

    deinit { stop() }

    /// The number of questions it has answered.
    public var questions: Int { mock.withLock { $0.map { Int(lz_mock_questions($0)) } ?? 0 } }

    /// Answers with another number, and tells so.
    public func set(_ number: UInt8) {
        mock.withLock { if let mock = $0 { lz_mock_set(mock, number) } }
    }

    /// Gives its name back.
    public func stop() {
        mock.withLock { mock in
            if let mock { lz_mock_stop(mock) }
            mock = nil
        }
    }
}
