/// The stages that work goes through, each with its own limit.
enum Stage: Int, CaseIterable {
    case loading
    case decoding
    case processing
    case encoding
}
