/// A value that was given, or the one that suits.
enum Chosen<Value: Sendable>: Sendable {
    case auto
    case value(Value)
}
