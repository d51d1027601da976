internal import FoundationEssentials
internal import LazyBase

/// Reads bytes as a playlist and makes all that a stream may ask of it, for fuzzing.
///
/// Loads nothing. Traps where a promise does not hold: times are in order, a playlist of a server names no file, what
/// is kept stays within the limit of memory.
@_spi(Testing)
public enum PlaylistPlayer {
    /// Reads a playlist that came from a server, within some memory.
    public static func play(_ bytes: [UInt8], memory: Int) {
        guard let kind = StreamKind(head: Array(bytes.prefix(StreamKind.headSize))),
            let url = URL(string: "https://example.org/a/list?token=a%20b")
        else { return }
        let limits = StreamLimits(memory: memory, time: .seconds(10))
        let budget = StreamBudget(limits, CancellationFlag())
        let base = StreamBase(url, isPrivate: false)
        do throws(StreamError) {
            switch kind {
            case .hls: try play(try HLSPlaylist(bytes, base, budget), budget)
            case .dash: try play(try DASHManifest(bytes, base, now: Date(), budget), budget)
            }
        } catch {
            precondition(!error.message.isEmpty, "an error says what went wrong")
        }
    }

    private static func play(
        _ playlist: HLSPlaylist, _ budget: StreamBudget
    ) throws(StreamError) {
        switch playlist {
        case .segments(let playlist): check(playlist)
        case .variants(let main):
            for variant in StreamVariant.ordered(main.variants, for: nil) {
                check(try main.address(of: variant))
            }
        }
    }

    private static func play(
        _ manifest: DASHManifest, _ budget: StreamBudget
    ) throws(StreamError) {
        let wanted: StreamVariant.SizeTest = { $0.width >= 320 }
        for variant in StreamVariant.ordered(manifest.variants, for: wanted).prefix(4) {
            switch try manifest.source(of: variant, budget) {
            case .segments(let playlist)?: check(playlist)
            case .index(let resource, _, _)?: check(resource.url)
            case .protected?, nil: break
            }
        }
    }

    private static func check(_ playlist: StreamPlaylist) {
        precondition(
            (1...StreamPlaylist.maxSegments).contains(playlist.count), "a playlist has segments")
        precondition(!playlist.isLocal, "a playlist of a server has no files")
        var end = Duration.zero
        for place in 0..<playlist.count {
            precondition(playlist.start(of: place) >= end, "segments are in order")
            end = playlist.start(of: place) + playlist.duration(of: place)
            guard place < 100 || place == playlist.count - 1 else { continue }
            if let (resource, key) = try? playlist.resource(of: place) {
                check(resource.url)
                if case .aes128(let url, let vector)? = key {
                    check(url)
                    precondition(vector.count == 16, "a vector is a block")
                }
            }
            if let map = playlist.map(of: place), let found = try? playlist.map(map) {
                check(found.resource.url)
            }
        }
        precondition(end == playlist.duration, "the last segment ends the stream")
    }

    private static func check(_ url: URL) {
        precondition(
            ["https", "data"].contains(url.scheme?.lowercased()), "a playlist names what it may")
    }
}
