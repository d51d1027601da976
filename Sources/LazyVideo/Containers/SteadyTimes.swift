/// Whether a file at a server is one recording, by the times at a few places of it.
///
/// A recording that is joined to another one is seen if it has more than some hundredths of the file, and one whose
/// pictures take more bytes in some parts than in others is taken for several: that costs no more than reading it whole.
enum SteadyTimes {
    /// A time at a place of a file.
    typealias Sample = (place: Int, time: Int64)

    /// The number of places; each is a request.
    static let sampleCount = 6
    /// The bytes that are requested there: more than the largest pictures, as a rule.
    static let sampleSize = 1 << 18

    /// Whether times ascend about as fast between all places.
    static func areSteady(_ samples: [Sample]) -> Bool {
        let paces = zip(samples.dropFirst(), samples).map { next, one in
            (Double(next.time) - Double(one.time)) / Double(max(1, next.place - one.place))
        }
        guard let usual = paces.sorted().dropFirst(paces.count / 2).first, usual > 0 else {
            return false
        }
        return paces.allSatisfy { abs($0 - usual) <= usual / 4 }
    }
}
