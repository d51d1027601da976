public import FoundationEssentials

extension FetchImage {
    /// Makes a model without a load, of the shared pipeline.
    public convenience init() { self.init(pipeline: .shared) }

    /// Makes a model of an address, of the shared pipeline.
    public convenience init(url: URL) { self.init(url: url, pipeline: .shared) }

    /// Makes a model of a request, of the shared pipeline.
    public convenience init(request: ImageRequest) {
        self.init(request: request, pipeline: .shared)
    }
}
