import Glibc
import LazyBase

/// A connection of a scripted server, with its own thread.
final class ScriptedConnection: Sendable {
    private let descriptor: CInt
    private let wakeUp: (reader: CInt, writer: CInt)
    private let number: Int
    private let core: ScriptedServerCore
    private let isEnded = Locked(false)

    init(_ descriptor: CInt, number: Int, core: ScriptedServerCore) {
        self.descriptor = descriptor
        self.number = number
        self.core = core
        guard let pipe = Sockets.pipe() else {
            preconditionFailure("the system gives no more descriptors")
        }
        wakeUp = pipe
    }

    deinit {
        close(descriptor)
        close(wakeUp.reader)
        close(wakeUp.writer)
    }

    /// Ends the connection from another thread.
    func end() {
        isEnded.withLock { $0 = true }
        shutdown(descriptor, CInt(SHUT_RDWR))
        wake()
    }

    func run() {
        var received: [UInt8] = []
        while let request = nextRequest(&received) {
            core.note {
                $0.active += 1
                $0.maxActive = max($0.maxActive, $0.active)
            }
            let isOpen = perform(core.answer(request).actions)
            core.note { $0.active -= 1 }
            if !isOpen { break }
        }
        // The end or the reset goes out now, though others may hold the connection still.
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    private func nextRequest(_ received: inout [UInt8]) -> ScriptedServer.Request? {
        while true {
            if let request = takeRequest(&received) { return request }
            guard let more = Sockets.receiveSome(from: descriptor) else {
                core.note { $0.closedByClient += 1 }
                return nil
            }
            received += more
        }
    }

    private func takeRequest(_ received: inout [UInt8]) -> ScriptedServer.Request? {
        let mark = Array("\r\n\r\n".utf8)
        guard received.count >= 4,
            let end = (0...received.count - 4).first(where: { Array(received[$0..<$0 + 4]) == mark }
            )
        else { return nil }
        let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n")
        received.removeFirst(end + 4)
        let start = (lines.first ?? "").split(separator: " ")
        let headers = lines.dropFirst().map { line -> (name: String, value: String) in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (String(line[..<colon]), String(line[colon...].dropFirst().drop { $0 == " " }))
        }
        var request = ScriptedServer.Request(
            method: start.first.map(String.init) ?? "",
            path: start.count > 1 ? String(start[1]) : "",
            headers: headers, connection: number, index: 0)
        core.note {
            request.index = $0.requests.count
            $0.requests.append(request)
        }
        return request
    }

    /// Whether the connection is open after the steps.
    private func perform(_ actions: [ScriptedServer.Action]) -> Bool {
        for action in actions {
            switch action {
            case .send(let bytes): guard sendAll(bytes[...]) else { return false }
            case .text(let text): guard sendAll(Array(text.utf8)[...]) else { return false }
            case .repeat(let bytes, let times):
                guard sendAll(bytes, times: times) else { return false }
            case .wait(let gate): guard wait(for: gate) else { return false }
            case .open(let gate): gate.open()
            case .waitForClose:
                _ = wait(for: Gate())
                return false
            case .close: return false
            case .reset:
                Sockets.reset(descriptor)
                // Only a close sends the reset, and a copy of the descriptor would hinder it: make
                // this one stand for something else.
                dup2(wakeUp.reader, descriptor)
                return false
            }
        }
        return true
    }

    private func sendAll(_ bytes: [UInt8], times: Int?) -> Bool {
        var count = 0
        while times.map({ count < $0 }) ?? true {
            guard sendAll(bytes[...]) else { return false }
            count += 1
        }
        return true
    }

    private func sendAll(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            guard let sent = Sockets.sendSome(rest, on: descriptor) else { return lost() }
            if sent > 0 {
                rest = rest.dropFirst(sent)
                core.note { $0.sentBytes += sent }
            } else if !waitForRoom() {
                return lost()
            }
        }
        return true
    }

    private func waitForRoom() -> Bool {
        var events = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
        while !isEnded.withLock({ $0 }) {
            let ready = poll(&events, 1, 200)
            if ready > 0 { return true }
            if ready == 0 { core.note { $0.stalls += 1 } }
        }
        return false
    }

    private func wait(for gate: Gate) -> Bool {
        gate.whenOpen { [self] in wake() }
        var events = [
            pollfd(fd: descriptor, events: Sockets.isHungUp, revents: 0),
            pollfd(fd: wakeUp.reader, events: Int16(POLLIN), revents: 0),
        ]
        while !gate.isOpen {
            poll(&events, 2, -1)
            if events[0].revents != 0 || isEnded.withLock({ $0 }) { return gate.isOpen || lost() }
            var bytes: UInt64 = 0
            read(wakeUp.reader, &bytes, 8)
        }
        return true
    }

    private func lost() -> Bool {
        core.note { $0.closedByClient += 1 }
        return false
    }

    private func wake() {
        var byte: UInt8 = 1
        write(wakeUp.writer, &byte, 1)
    }
}
