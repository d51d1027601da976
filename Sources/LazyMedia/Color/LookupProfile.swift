internal import CLCMS

/// A profile with lookup tables, or of CMYK, converted by Little CMS.
///
/// The perceptual intent, which reads `A2B0`, without black point compensation, into sRGB of version
/// 2: that is what browsers show. Unchecked: a transform without a cache may be used by any thread.
final class LookupProfile: @unchecked Sendable {
    enum Failure: Error {
        /// The profile is broken, or of another kind than the samples.
        case unusable
        /// The library is missing, in one sentence.
        case missing(String)
    }

    private let shallow: cmsHTRANSFORM
    private let deep: cmsHTRANSFORM?
    private let isCMYK: Bool

    private init(shallow: cmsHTRANSFORM, deep: cmsHTRANSFORM?, isCMYK: Bool) {
        self.shallow = shallow
        self.deep = deep
        self.isCMYK = isCMYK
        LiveHandles.didOpen()
    }

    deinit {
        clcms_table().pointee.cmsDeleteTransform(shallow)
        if let deep { clcms_table().pointee.cmsDeleteTransform(deep) }
        LiveHandles.didClose()
    }

    static func make(_ profile: ICCProfile) -> Result<LookupProfile, Failure> {
        guard clcms_load() == 0 else {
            return .failure(.missing(String(cString: clcms_load_message())))
        }
        let opened = profile.bytes.withUnsafeBytes { bytes in
            clcms_open(bytes.baseAddress, bytes.count, CLCMS_RGBA8)
        }
        guard let shallow = opened else { return .failure(.unusable) }
        let isCMYK = profile.colorSpace == "CMYK"
        let deep =
            isCMYK
            ? nil
            : profile.bytes.withUnsafeBytes { bytes in
                clcms_open(bytes.baseAddress, bytes.count, CLCMS_RGBA16)
            }
        return .success(LookupProfile(shallow: shallow, deep: deep, isCMYK: isCMYK))
    }

    /// Converts pixels of four 8-bit samples; those of RGB keep their alpha.
    func convert(
        _ source: UnsafePointer<UInt32>, into target: UnsafeMutablePointer<UInt32>, count: Int
    ) {
        clcms_convert(shallow, source, target, count, isCMYK ? 0 : 1)
    }

    /// Converts pixels of four 16-bit samples.
    func convert(
        deep source: UnsafePointer<UInt16>, into target: UnsafeMutablePointer<UInt32>, count: Int
    ) {
        guard let deep else { return }
        clcms_convert16(deep, source, target, count)
    }
}
