/// What shows the image of a `FetchImage`, and is told before its observers are.
@MainActor protocol FetchObserving: AnyObject {
    /// Adds what it wants of a request.
    func complete(_ request: inout ImageRequest)
    /// Called before a response is published.
    func willShow(_ response: ImageResponse, isHit: Bool)
    /// Called when what is shown has been published.
    func didShow(_ container: ImageContainer?)
    /// Called when there is more to say of what is shown.
    func reportInfo(of container: ImageContainer)
}
