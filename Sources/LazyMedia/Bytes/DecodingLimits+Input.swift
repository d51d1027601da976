extension DecodingLimits {
    /// Throws if there are too many bytes; sources that are read on demand always pass.
    public func check(input bytes: any ByteSource) throws(MediaError) {
        if bytes is FileBytes || bytes.isRemote { return }
        try check(inputBytes: bytes.count)
    }
}
