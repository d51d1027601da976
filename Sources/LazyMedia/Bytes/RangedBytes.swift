/// Bytes that may be at a server from which any range is fetched for the cost of a request.
///
/// Others of a network come in their order: who reads their end waits for all of them.
package protocol RangedBytes: ByteSource {
    /// Whether any range is fetched by itself.
    var fetchesRanges: Bool { get }
}

extension ByteSource {
    /// Whether the end can be read without what lies before it: of what is on this machine, and of ranges.
    package var hasReachableEnd: Bool {
        !isPartial && (!isRemote || (self as? any RangedBytes)?.fetchesRanges == true)
    }
}
