/// A given value, or the automatic choice.
enum Chosen<Value: Sendable>: Sendable {
    case auto
    case value(Value)
}
