public import LazyMedia

extension DecoderHost {
    /// Makes this process's own program that which decodes.
    ///
    /// For programs that ask `DecoderProgram.isRequested` first.
    public static func decodesItself() { ProgramPath.setOwn() }

    /// The program that decodes.
    ///
    /// It is named by the environment's `LAZYIMG_DECODER`, or the program itself if that decodes, or
    /// `lazyimg-decoder` in the program's folder, in `../libexec/lazyimg` beside it or in `/usr`, or in `PATH`. Throws
    /// `.environment` where there is none.
    public static func programPath() throws(MediaError) -> String { try ProgramPath.find() }
}
