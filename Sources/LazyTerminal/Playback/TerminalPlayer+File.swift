internal import LazyBase
internal import LazyMedia

extension TerminalPlayer {
    // Hands a GIF over to a terminal that plays it by itself, and waits for keys.
    //
    // Nil where that does not apply, and when a key asks for what the terminal cannot do.
    func playFile() throws(TerminalError) -> Ending? {
        guard var canvas = canvas as? ITermCanvas, let screen, let file = wholeFile() else {
            return nil
        }
        let info = source.sequence.info
        guard let duration = info.duration, duration > .zero else { return nil }
        shown = try nextFrame()
        try output { () throws(SystemError) in
            try file.withBytes { (bytes) throws(SystemError) in
                try canvas.draw(file: bytes, of: info.size) { (bytes) throws(SystemError) in
                    try OutputStream.standardOutput.write(bytes)
                }
            }
        }
        self.canvas = canvas
        _ = clock.decide(at: now, start: .zero, length: duration)
        let end = plays.map { duration * $0 }
        while true {
            try drawStatus()
            let position = clock.position(at: now) ?? .zero
            let event = screen.wait(end.map { max(.zero, $0 - position) })
            switch event {
            case .none: if let end, position >= end { return .finished }
            case .quit: return .quit
            case .input(let direction): return direction > 0 ? .next : .previous
            default:
                // From here on frames are drawn, from the one that is on screen now.
                screen.unread(event)
                self.canvas.invalidate()
                shown = nil
                let nanoseconds = (clock.position(at: now) ?? .zero).nanoseconds
                jump = .by(.nanoseconds(nanoseconds % max(1, duration.nanoseconds)))
                return nil
            }
        }
    }

    private func wholeFile() -> [UInt8]? {
        let isWhole =
            settings.start == .zero && settings.end == nil && !settings.isUntimed
            && settings.speed == 1
        // The file loops as it says.
        let isAuthored = plays == source.sequence.info.loop.plays
        guard isWhole, isAuthored, arriving == nil, source.sequence.info.type == .gif,
            !settings.traits.graphics.isInTmux
        else { return nil }
        return settings.file?()
    }
}
