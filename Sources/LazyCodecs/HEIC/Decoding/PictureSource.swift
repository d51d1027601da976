internal import LazyMedia

/// What coded pictures are read from and decoded by.
struct PictureSource: Sendable {
    let bytes: ItemBytes
    let pictures: any CodedPictureDecoding
}
