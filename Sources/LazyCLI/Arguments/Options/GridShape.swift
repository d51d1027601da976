/// The number of pictures beside and above each other.
struct GridShape: Equatable, Sendable {
    let columns: Int
    let rows: Int?
}
