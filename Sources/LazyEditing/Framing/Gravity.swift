/// Where a smaller rectangle lies in a larger one: what a crop keeps, or where an overlay goes.
public enum Gravity: Hashable, Sendable {
    /// The middle.
    case center
    /// The middle of an edge.
    case north, south, east, west
    /// A corner.
    case northEast, northWest, southEast, southWest
    /// A point in shares of width and height, 0 to 1 from the upper left, kept as central as can be.
    case point(Double, Double)
    /// The part with the most detail; an overlay goes to the center.
    case entropy
    /// The part that draws the eye: contrast, saturated colors, skin; the same for a whole clip. An
    /// overlay goes to the center.
    case attention

    /// The gravities that have a name.
    public static let named: [Gravity] = names.map(\.value)

    private static let names: [(text: String, value: Gravity)] = [
        ("center", .center), ("entropy", .entropy), ("attention", .attention), ("north", .north),
        ("south", .south), ("east", .east), ("west", .west), ("north-east", .northEast),
        ("north-west", .northWest), ("south-east", .southEast), ("south-west", .southWest),
    ]
}

extension Gravity: CustomStringConvertible {
    /// The name, such as `north-east`, or the point, such as `0.3,0.5`.
    public var description: String {
        if case .point(let x, let y) = self { return "\(x),\(y)" }
        return Self.names.first { $0.value == self }?.text ?? "center"
    }
}

extension Gravity {
    /// The point that stays, or nil where the pictures decide.
    package var focus: (x: Double, y: Double)? {
        switch self {
        case .center: (0.5, 0.5)
        case .north: (0.5, 0)
        case .south: (0.5, 1)
        case .east: (1, 0.5)
        case .west: (0, 0.5)
        case .northEast: (1, 0)
        case .northWest: (0, 0)
        case .southEast: (1, 1)
        case .southWest: (0, 1)
        case .point(let x, let y): (min(max(x, 0), 1), min(max(y, 0), 1))
        case .entropy, .attention: nil
        }
    }
}
