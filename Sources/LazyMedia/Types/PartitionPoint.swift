extension RandomAccessCollection where Index == Int {
    /// The first index whose element fails a predicate, or `endIndex`; O(log n).
    ///
    /// The predicate holds for the elements before that index and for none after it.
    @inlinable package func partitionPoint(where isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
