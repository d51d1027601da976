/// The speeds that keys of a player choose, from a tenth to eight times.
public enum PlaybackSpeed {
    private static let all = [0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 4, 8]

    /// The next faster (1) or slower (-1) speed, or the normal one (0).
    ///
    /// Of a negative speed, which plays backward, it is negative too, but for the normal one.
    public static func next(after speed: Double, _ direction: Int) -> Double {
        let size = abs(speed)
        let next =
            switch direction {
            case 0: 1.0
            case 1...: all.first { $0 > size } ?? size
            default: all.last { $0 < size } ?? size
            }
        return direction != 0 && speed < 0 ? -next : next
    }
}
