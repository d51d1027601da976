extension SystemError {
    /// A media error of code `.environment` that says what was done to what.
    public func mediaError(_ verb: String, _ object: String) -> MediaError {
        MediaError(.environment, "Cannot \(verb) \(object): \(self).", underlying: self)
    }
}

extension CancellationFlag {
    /// Throws `.cancelled` if the flag is set.
    public func check() throws(MediaError) {
        if isCancelled { throw .cancelled }
    }
}
