/// The film behind a still, as the structure of the file tells it.
package struct MotionPhoto: Sendable {
    /// The film, or nil.
    private var film: MotionFilm?
    /// What is wrong where the file announces a film that is not there.
    private var fault: MediaError?
    private let bytes: any ByteSource

    /// The most bytes before and behind the announced place in which a film is looked for.
    private static let nearby = 1 << 16

    /// Looks for the film of a still; reads only headers, and nothing of bytes that are still arriving.
    ///
    /// `box` is the content of HEIF's `mpvd`, which may end behind the file; `xmp` the text of its XMP.
    package init(
        _ bytes: any ByteSource, box: Range<Int>? = nil, xmp: [UInt8]? = nil
    ) throws(MediaError) {
        self.bytes = bytes
        guard !bytes.isPartial else { return }
        let xmp = xmp.map { MotionXMP($0) }
        if let box {
            let film = try Self.probe(bytes, box)
            take(film, .mpvd, xmp, "The box mpvd announces a film, but its content is none.")
        }
        if film == nil, let place = xmp?.place {
            take(try Self.find(bytes, place), place.kind, xmp, Self.fault(place))
        }
        if film == nil, let range = try SamsungTrailer.film(bytes) {
            take(
                try Self.probe(bytes, range), .samsung, xmp,
                "The trailer announces a film, but what it names is none.")
        }
    }

    private mutating func take(
        _ found: FilmProbe?, _ kind: MotionFilm.Kind, _ xmp: MotionXMP?, _ sentence: String
    ) {
        if let found {
            film = MotionFilm(
                kind: kind, range: found.range, type: found.type, duration: found.duration,
                stillTime: xmp?.stillTime)
        } else if fault == nil {
            fault = MediaError(.malformed, sentence)
        }
    }

    /// The bytes of the film; throws where there is none.
    package func filmBytes() throws(MediaError) -> any ByteSource {
        guard let film else { throw fault ?? .noFilm }
        return ByteSlice(bytes, film.range)
    }

    /// Describes the film.
    package func describe(_ info: inout MediaInfo) {
        info.motion = film
        guard film == nil, let fault else { return }
        info.motionWarning = MediaWarning(.malformed, fault.message)
    }

    private static func probe(
        _ bytes: any ByteSource, _ range: Range<Int>
    ) throws(MediaError) -> FilmProbe? {
        guard range.lowerBound < bytes.count else { return nil }
        return try FilmProbe(bytes, range.lowerBound..<min(range.upperBound, bytes.count))
    }

    /// The film at the announced place, else the nearest one around it.
    private static func find(
        _ bytes: any ByteSource, _ place: MotionXMP.Place
    ) throws(MediaError) -> FilmProbe? {
        guard let distance = place.distance, distance <= bytes.count else { return nil }
        let start = bytes.count - distance
        if let found = try probe(bytes, start..<bytes.count - place.behind) { return found }
        let window = max(0, start - nearby)..<min(bytes.count, start + nearby)
        let around = try bytes.bytes(window.count, at: window.lowerBound)
        let word = Array("ftyp".utf8)
        let candidates = around.indices.dropFirst(4).filter {
            around[$0] == word[0] && around[$0...].starts(with: word)
        }.map { window.lowerBound + $0 - 4 }
        for candidate in candidates.sorted(by: { abs($0 - start) < abs($1 - start) }).prefix(16) {
            if let found = try probe(bytes, candidate..<bytes.count) { return found }
        }
        return nil
    }

    private static func fault(_ place: MotionXMP.Place) -> String {
        guard let distance = place.distance else {
            return "The XMP announces a film, but no length of it."
        }
        return "The XMP announces a film \(distance) bytes before the end, but none begins there."
    }
}
