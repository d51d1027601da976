/// A model that shows what a `FetchImage` loads.
@MainActor protocol ContainerListening: AnyObject {
    /// A container is about to be published; callbacks go through the model's `calls`.
    func willPublish(_ container: ImageContainer, from cacheType: CacheType?)

    /// The container is being published, in the same transaction.
    func isPublishing(_ container: ImageContainer)
}
