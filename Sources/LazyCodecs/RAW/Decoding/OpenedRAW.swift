internal import LazyMedia

/// The preview of a camera RAW file.
struct OpenedRAW: MappedMedia {
    let base: any OpenedMedia
    let info: MediaInfo

    /// Describes an open preview; `isCut` where the file ends before a larger one does.
    init(base: any OpenedMedia, name: String, isWhole: Bool, isCut: Bool) {
        self.base = base
        var info = base.info
        info.type = .cameraRAW
        if !isWhole {
            info.warnings.append(
                MediaWarning(
                    .note,
                    "This is a camera RAW picture (\(name)): its largest preview is shown, as sensor data is not read."
                ))
        }
        if isCut {
            info.isTruncated = true
            info.warnings.append(
                MediaWarning(.truncated, "The file ends before a larger preview does."))
        }
        self.info = info
    }
}
