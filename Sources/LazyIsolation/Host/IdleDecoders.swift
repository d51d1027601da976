internal import LazyBase
internal import LazyMedia

/// Decoders that a part of a list has left for the next one of its type: starting a process takes milliseconds, which is
/// most of the time that a list of small pictures takes.
///
/// The parts become one clip. A hostile one can change the others in it, and nothing else, as anywhere.
final class IdleDecoders: Sendable {
    private let sessions = Locked<[MediaType: MediaSession]>([:])
    private let budget: ProcessBudget

    init(_ budget: ProcessBudget) { self.budget = budget }

    deinit {
        for session in sessions.withLock({ $0 }).values {
            budget.remove(session)
            session.end()
        }
    }

    /// One that has the libraries of a type, with one user, or nil.
    func take(_ loaded: MediaType) -> MediaSession? {
        guard let session = sessions.withLock({ $0.removeValue(forKey: loaded) }) else {
            return nil
        }
        return budget.begin(session) ? session : nil
    }

    /// Keeps one whose media nobody uses any more; false where that is of no use.
    func keep(_ session: MediaSession) -> Bool {
        guard !session.hasEnded else { return false }
        return sessions.withLock { sessions in
            if let other = sessions[session.loaded], !other.hasEnded { return false }
            sessions[session.loaded] = session
            return true
        }
    }
}
