/// How a picture comes into sight.
public struct ImageTransition: Sendable {
    /// From the share of the time that has passed to the share of opacity, both from 0 to 1.
    public typealias Curve = @Sendable (Double) -> Double

    /// How long it takes.
    public var duration: Duration
    /// How opacity grows.
    public var curve: Curve
    /// Whether pictures from the memory cache, which are there at once, come so too.
    public var includesCached: Bool

    /// Makes a transition with a curve of one's own.
    public init(
        duration: Duration, includesCached: Bool = false, curve: @escaping Curve = { $0 }
    ) {
        self.duration = duration
        self.curve = curve
        self.includesCached = includesCached
    }

    /// The picture is there at once.
    public static let none = ImageTransition(duration: .zero)

    /// The picture fades in evenly, in a third of a second unless said otherwise.
    public static func fadeIn(duration: Duration = .milliseconds(330)) -> ImageTransition {
        ImageTransition(duration: duration)
    }

    /// The opacity after a time, from 0 to 1.
    public func opacity(after time: Duration) -> Double {
        guard duration > .zero, time < duration else { return 1 }
        let opacity = curve(max(0, time / duration))
        return opacity.isNaN ? 1 : min(max(opacity, 0), 1)
    }
}
