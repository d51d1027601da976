package import LazyMedia

extension TargetSize {
    /// The target for a picture that must not be enlarged.
    ///
    /// `.contain` becomes `.scaleDown`; `.cover` is the largest target of the same ratio that the picture
    /// covers as it is; `.fill` has its size in any case.
    package func withoutEnlarging(_ size: PixelSize) -> TargetSize {
        switch fit {
        case .scaleDown, .fill: return self
        case .contain: return TargetSize(width: width, height: height, fit: .scaleDown)
        case .cover:
            let ratios = [
                width.map { Double($0) / Double(size.width) },
                height.map { Double($0) / Double(size.height) },
            ].compactMap(\.self)
            guard let ratio = ratios.max(), ratio > 1 else { return self }
            func side(_ length: Int?) -> Int? {
                length.map { max(1, Int((Double($0) / ratio).rounded())) }
            }
            return TargetSize(width: side(width), height: side(height), fit: .cover)
        }
    }
}
