import LazyBytes
public import LazyLoading
public import LazyMedia

/// Opens remote clips to be read in ranges, over any loader.
public struct RangeOpener: RemoteOpening {
    private let loader: any DataLoading
    private let memory: Int
    private let ahead: Int

    /// Makes an opener.
    ///
    /// - Parameters:
    ///   - loader: What makes the requests; one that retries, so that a broken answer is no error.
    ///   - memory: The most bytes of a clip that are kept in memory while it is read.
    ///   - ahead: How many bytes are loaded before they are read, for those who read on and on.
    public init(loader: any DataLoading, memory: Int = 1 << 24, ahead: Int = 0) {
        self.loader = loader
        self.memory = memory
        self.ahead = ahead
    }

    /// Clips up to this size are loaded whole: that costs less than some requests.
    public static let smallest = 1 << 18

    /// The types that are worth it: containers with tables that tell where a picture lies.
    public static let types: Set<MediaType> = [.mp4, .m4v, .mov, .webm, .matroska]

    /// Asks for the beginning, and tells what came of it.
    public func open(_ request: LoadRequest) async throws(LoadingError) -> RemoteOpened {
        // What may be in the store only is not asked for in pieces.
        guard ![.cacheOnly, .cacheElseLoad].contains(request.policy), request.range == nil
        else { return .usual }
        let opening: RangeReader.Opening
        do throws(LoadingError) {
            opening = try await RangeReader.open(
                request, loader: loader, memory: memory, ahead: ahead)
        } catch  where Self.isAboutRanges(error) {
            return .usual
        }
        if case .whole(let response) = opening, response.head.status == 200 {
            return .whole(response)
        }
        guard case .ranges(let reader) = opening, reader.count > Self.smallest,
            let beginning = try? MemoryBytes(reader.beginning),
            let type = try? MediaType.sniffing(beginning), Self.types.contains(type)
        else { return .usual }
        let bytes = RemoteBytes(reader)
        return .ranges(
            RemoteMedia(
                bytes: bytes, type: type, head: reader.head, bytesRead: { reader.bytesRead }))
    }

    /// An empty file has no range that could be sent (416); some servers cannot tell the size.
    private static func isAboutRanges(_ error: LoadingError) -> Bool {
        error.status == 416 || error.status == 206
    }
}
