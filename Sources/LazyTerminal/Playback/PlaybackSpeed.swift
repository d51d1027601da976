/// The speeds that keys choose.
enum PlaybackSpeed {
    private static let all = [0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 4, 8]

    /// The next faster (1) or slower (-1) speed, or the normal one (0).
    static func next(after speed: Double, _ direction: Int) -> Double {
        switch direction {
        case 0: 1
        case 1...: all.first { $0 > speed } ?? speed
        default: all.last { $0 < speed } ?? speed
        }
    }
}
