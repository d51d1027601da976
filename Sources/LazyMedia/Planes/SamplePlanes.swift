/// The samples of one decoded picture of 8 to 16 bits in separate planes; refers to memory of its owner.
///
/// Samples of more than 8 bits take two bytes in the byte order of the processor.
package struct SamplePlanes {
    /// One plane.
    package struct Plane {
        /// The first row.
        package let start: UnsafeRawPointer
        /// Bytes from one row to the next; may be negative.
        package let stride: Int

        /// Refers to rows.
        package init(_ start: UnsafeRawPointer, stride: Int) {
            self.start = start
            self.stride = stride
        }
    }

    /// Width and height in samples of the first plane; a smaller size is the upper left part.
    package var size: PixelSize
    /// Bits of a sample, 8 to 16.
    package let depth: Int
    /// Luma, or green where the matrix is the identity.
    package let luma: Plane
    /// Cb and Cr, or blue and red; nil in a gray picture.
    package let chroma: (u: Plane, v: Plane)?
    /// Straight alpha of the same depth in the full range, or nil.
    package let alpha: Plane?
    /// Whether chroma has half the columns, rounded up.
    package let isHalfWidth: Bool
    /// Whether chroma has half the rows, rounded up.
    package let isHalfHeight: Bool
    /// What the samples mean; matrix and range count for RGB.
    package var color: ColorDescription
    /// Whether parts are concealed because the data is damaged.
    package let isDamaged: Bool

    /// Describes planes.
    package init(
        size: PixelSize, depth: Int, luma: Plane, chroma: (u: Plane, v: Plane)?,
        alpha: Plane? = nil, isHalfWidth: Bool = false, isHalfHeight: Bool = false,
        color: ColorDescription, isDamaged: Bool = false
    ) {
        self.size = size
        self.depth = depth
        self.luma = luma
        self.chroma = chroma
        self.alpha = alpha
        self.isHalfWidth = isHalfWidth
        self.isHalfHeight = isHalfHeight
        self.color = color
        self.isDamaged = isDamaged
    }
}
