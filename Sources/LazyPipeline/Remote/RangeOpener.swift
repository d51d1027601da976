public import LazyLoading
public import LazyMedia

/// Opens remote clips for reading by ranges, with any loader.
public struct RangeOpener: RemoteOpening {
    private let loader: any DataLoading
    private let memory: Int
    private let disk: Int
    private let ahead: Int
    private var formats: FormatRegistry

    /// Creates an opener.
    ///
    /// - Parameters:
    ///   - loader: The loader of the ranges; one that retries, so that an interrupted response is no error.
    ///   - formats: The formats to recognize; those with an index of their frames are read by ranges.
    ///   - memory: The maximum number of bytes of a clip in memory.
    ///   - disk: The maximum number of bytes of a clip in a temporary file, for those that leave memory.
    ///   - ahead: The number of bytes that are read ahead, for sequential readers.
    public init(
        loader: any DataLoading, formats: FormatRegistry, memory: Int = 1 << 24,
        disk: Int = 1 << 30, ahead: Int = 0
    ) {
        self.loader = loader
        self.memory = memory
        self.disk = disk
        self.ahead = ahead
        self.formats = formats
    }

    /// The same opener, which also reads other types by ranges.
    func reading(_ types: [MediaType]) -> RangeOpener {
        var opener = self
        opener.formats = formats.readingRanges(of: types)
        return opener
    }

    /// Clips up to this size are loaded whole, which costs less than several requests.
    package static let smallest = 1 << 18

    /// Requests the first bytes and decides by the response.
    public func open(_ request: LoadRequest) async throws(LoadingError) -> RemoteOpened {
        // Requests that prefer the store are not split into ranges.
        guard ![.cacheOnly, .cacheElseLoad].contains(request.policy), request.range == nil
        else { return .usual }
        let opening: RangeReader.Opening
        do throws(LoadingError) {
            opening = try await RangeReader.open(
                request, loader: loader, memory: memory, disk: disk, ahead: ahead)
        } catch  where error.refusesRange {
            // An empty file has no valid range; some servers do not send the size or the position.
            return .usual
        }
        if case .whole(let response) = opening, response.head.status == 200 {
            return .whole(response)
        }
        guard case .ranges(let reader) = opening else { return .usual }
        if reader.count > Self.smallest, let beginning = try? MemoryBytes(reader.beginning),
            let type = try? formats.sniffer.type(of: beginning), formats.readsRanges(type)
        {
            return .ranges(Self.media(reader, type))
        }
        // What no store keeps is continued; of all else the whole is asked for, which is kept.
        return reader.head.isOfUseLater ? .usual : .whole(reader.whole)
    }

    /// Creates a source of a clip whose download has begun; it does not go through a store.
    public func open(
        _ type: MediaType, downloadedBy request: LoadRequest, _ head: ResponseHead
    ) -> RemoteMedia? {
        var request = request
        // The download stores all of it.
        request.policy = .noCache
        guard formats.readsRanges(type),
            let reader = RangeReader(
                request, during: head, loader: loader, memory: memory, disk: disk)
        else { return nil }
        return Self.media(reader, type)
    }

    private static func media(_ reader: RangeReader, _ type: MediaType) -> RemoteMedia {
        RemoteMedia(
            bytes: RemoteBytes(reader), type: type, head: reader.head,
            bytesRead: { reader.bytesRead })
    }

}

extension ResponseHead {
    /// Whether a store can answer with it later: it has a validator or an age, and its server allows that.
    fileprivate var isOfUseLater: Bool {
        let control = CacheControl(headers)
        guard !control.isNoStore else { return false }
        return !Validator(headers).isEmpty || control.sharedMaxAge ?? control.maxAge ?? 0 > 0
            || !headers.values(of: "Expires").isEmpty
    }
}
