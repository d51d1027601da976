internal import LazyEditing
internal import LazyMedia

// Processors that crop, scale or turn are steps of an edit, so that an edit and a processor make the
// same pixels.
extension EditStep {
    /// The size of a picture after the step; a pixel where it is impossible.
    func outputSize(for size: PixelSize) -> PixelSize {
        (try? self.size(of: size)) ?? PixelSize(width: 1, height: 1)
    }

    /// The picture after the step.
    func processed(_ bitmap: Bitmap) throws(ProcessingError) -> Bitmap {
        try ProcessingError.mapping { () throws(MediaError) in
            try applied(to: bitmap, limits: .local)
        }
    }
}
