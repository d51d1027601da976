import Glibc
internal import LazyEditing
package import LazyMedia

extension Bitmap {
    /// What is left of a picture that was decoded to cover a target.
    package func cropped(toFit target: TargetSize?) throws(MediaError) -> Bitmap {
        guard let target, target.fit == .cover else { return self }
        return try cropped(
            to: PixelSize(
                width: min(size.width, target.width ?? size.width),
                height: min(size.height, target.height ?? size.height)))
    }

    /// The middle of the picture at a size that is not larger than it.
    package func cropped(to target: PixelSize) throws(MediaError) -> Bitmap {
        guard target != size else { return self }
        precondition(target.width <= size.width && target.height <= size.height)
        let left = (size.width - target.width) / 2
        let top = (size.height - target.height) / 2
        let stride = self.stride
        return try Bitmap(size: target, isOpaque: isOpaque) { (output) throws(MediaError) in
            withBytes { (input: UnsafeRawBufferPointer) in
                guard let from = input.baseAddress, let to = output.baseAddress else { return }
                for y in 0..<target.height {
                    memcpy(
                        to + y * target.width * 4, from + (top + y) * stride + left * 4,
                        target.width * 4)
                }
            }
        }
    }
}
