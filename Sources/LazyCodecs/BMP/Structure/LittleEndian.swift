extension [UInt8] {
    /// The little-endian number of some bytes; 0 beyond the end.
    func little(_ offset: Int, _ width: Int) -> Int {
        guard offset >= 0, offset + width <= count else { return 0 }
        return self[offset..<(offset + width)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
