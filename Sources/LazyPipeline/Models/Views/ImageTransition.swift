/// How an image appears.
public struct ImageTransition: Sendable {
    /// Maps the elapsed fraction of the duration to opacity, both from 0 to 1.
    public typealias Curve = @Sendable (Double) -> Double

    /// The duration.
    public var duration: Duration
    /// The opacity curve.
    public var curve: Curve
    /// Whether the transition applies to images from the memory cache too.
    public var includesCached: Bool

    /// Creates a transition with a custom curve.
    public init(
        duration: Duration, includesCached: Bool = false, curve: @escaping Curve = { $0 }
    ) {
        self.duration = duration
        self.curve = curve
        self.includesCached = includesCached
    }

    /// The image appears at once.
    public static let none = ImageTransition(duration: .zero)

    /// The image fades in linearly, by default in a third of a second.
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
