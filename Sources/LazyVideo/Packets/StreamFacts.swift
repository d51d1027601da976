/// What is known of a container's streams beside their headers, and which one was asked for.
struct StreamFacts {
    /// The number of the video stream to read, from 1; nil for the best one.
    var wanted: Int?
    /// Streams that the header lists and that have no packets.
    var absent: Set<Int> = []
    /// Streams of which the first packets have at most one, while others have more.
    var single: Set<Int> = []
    /// Whether `single` was found out.
    var isCounted = false
}
