internal import LazyBase
internal import LazyMedia

extension Playback {
    /// Advances to the time of the clock; returns when to call again, or nil for not until a command.
    ///
    /// For the owner of a player created with `.manual`.
    @discardableResult
    public func update() async -> Duration? {
        while !Task.isCancelled {
            switch await advance() {
            case .look: continue
            case .sleep(let time): return time
            case .rest: return nil
            }
        }
        return nil
    }

    /// What follows a step.
    private enum Next {
        case look
        case sleep(until: Duration)
        case rest
    }

    private func advance() async -> Next {
        guard await loadIndex() else { return .rest }
        let step = machine.step(at: clock.now)
        publish()
        switch step {
        case .idle: return .rest
        case .wait(let time): return .sleep(until: time)
        case .finish: onFinished?()
        case .show(let frame, let play): await show(frame, play)
        }
        return .look
    }

    private func show(_ number: Int, _ play: Int) async {
        let revision = machine.revision
        let viewer = viewer
        do throws(MediaError) {
            let frame = try await viewer.frame(number)
            guard revision == machine.revision, viewer === self.viewer else { return }
            guard let frame else { return end(at: number) }
            machine.didShow(frame: number, play: play, at: clock.now)
            if error != nil { error = nil }
            self.frame = frame.replacing(frame.bitmap, play: play)
            currentPlay = play
        } catch let failure {
            if failure.code != .cancelled { fail(failure) }
        }
        if machine.isActive { viewer.lookAhead() }
    }

    /// The sequence is damaged and ends earlier than its index says.
    private func end(at count: Int) {
        guard count > 0 else {
            return fail(MediaError(.notFound, "The input has no frame that can be shown."))
        }
        machine.truncate(to: count)
    }

    private func fail(_ error: MediaError) {
        self.error = error
        machine.fail(at: clock.now)
        viewer.setActive(false)
    }

    /// Loads the index of the sequence, or of the one that replaces it.
    private func loadIndex() async -> Bool {
        while next != nil || index == nil {
            let container = next
            let wanted = container?.frames ?? sequence
            do throws(MediaError) {
                let index = try await wanted.frameIndex()
                guard next?.frames.identity == container?.frames.identity else { continue }
                next = nil
                if let container { replace(by: container) }
                self.index = index
                updateSchedule(at: clock.now)
                if let frame = frameToSeek {
                    frameToSeek = nil
                    seek(toFrame: frame)
                }
            } catch {
                guard error.code != .cancelled else { return false }
                next = nil
                // If a preview cannot be read, the previous one stays.
                if index == nil { fail(error) }
                return index != nil
            }
        }
        return true
    }

    private func replace(by container: ImageContainer) {
        sequence = container.frames
        isPartial = container.isPreview
        poster = container.decodedImage ?? poster
        error = nil
        viewer = pool.viewer(of: container.frames, size: size)
        viewer.setReverse(machine.isReverse)
        viewer.setActive(machine.isActive)
    }

    func updateSchedule(at now: Duration) {
        guard let index else { return }
        let plays = looping.plays(sequence.info.loop)
        machine.setSchedule(
            PlaybackSchedule(index, plays: plays, isPartial: isPartial), at: now)
    }

    func command(_ change: (inout PlaybackMachine, Duration) -> Void) {
        change(&machine, clock.now)
        viewer.setActive(machine.isActive)
        publish()
        run()
    }

    func publish() {
        if state != machine.state { state = machine.state }
        if droppedFrames != machine.dropped { droppedFrames = machine.dropped }
        if machine.isFinished { viewer.setActive(false) }
    }

    func run() {
        guard drive == .automatic else { return }
        let clock = clock
        // Owned by the player: each command replaces it, and releasing the player cancels it.
        runner = OwnedTask(
            Task { @MainActor [weak self] in
                // The player is retained for one step at a time: one that is always late never sleeps, and
                // still has to end when it is released.
                while !Task.isCancelled, let next = await self?.advance() {
                    switch next {
                    case .look: continue
                    case .rest: return
                    case .sleep(let time):
                        do { try await clock.sleep(until: time) } catch { return }
                    }
                }
            })
    }
}
