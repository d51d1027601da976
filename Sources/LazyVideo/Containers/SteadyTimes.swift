/// Whether a file at a server is one recording, by the times at a few places of it.
///
/// The clock of a second recording begins again. Its places lie at most three times as far from the beginning as those
/// before them, so that the times there are earlier than before, or not much later, wherever it begins behind the part
/// that is read as a whole. A file whose pictures take more bytes in some parts than in others is taken for several
/// recordings: that costs no more than reading it.
enum SteadyTimes {
    /// A time at a place of a file, in any unit.
    typealias Sample = (place: Int, time: Int64)

    /// The bytes that are requested at a place: more than the largest pictures, as a rule.
    static let sampleSize = 1 << 18
    /// The beginning, whose packets are all read.
    static let beginning = 1 << 20
    /// As many places are looked at anyway.
    private static let fewest = 5

    /// The places to look at, in ascending order; each is a request.
    static func places(of size: Int) -> [Int] {
        var places: [Int] = []
        var place = size / 3
        while place > beginning {
            places.append(place)
            place /= 3
        }
        places += [size / 2, size / 4 * 3].prefix(max(0, fewest - places.count))
        return places.sorted()
    }

    /// Whether times ascend about as fast between all places.
    static func areSteady(_ samples: [Sample]) -> Bool {
        guard let first = samples.first, let last = samples.last, first.place < last.place else {
            return false
        }
        let usual = pace(first, last)
        return usual > 0
            && zip(samples, samples.dropFirst()).allSatisfy {
                (0.6...1.25).contains(pace($0, $1) / usual)
            }
    }

    private static func pace(_ one: Sample, _ next: Sample) -> Double {
        (Double(next.time) - Double(one.time)) / Double(max(1, next.place - one.place))
    }
}
