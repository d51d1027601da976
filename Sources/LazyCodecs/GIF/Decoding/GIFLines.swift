/// The lines of an image in the order of its data.
///
/// Interlaced (GIF89a, appendix E): every eighth line from 0, every eighth from 4, every fourth
/// from 2, every second from 1.
struct GIFLines: IteratorProtocol {
    private let height: Int
    private var line = 0
    private var step: Int
    private var passes: [(first: Int, step: Int)]

    init(height: Int, isInterlaced: Bool) {
        self.height = height
        step = isInterlaced ? 8 : 1
        passes = isInterlaced ? [(1, 2), (2, 4), (4, 8)] : []
    }

    mutating func next() -> Int? {
        while line >= height {
            guard let pass = passes.popLast() else { return nil }
            (line, step) = pass
        }
        defer { line += step }
        return line
    }
}
