internal import LazyMedia

/// What coded pictures are read from and decoded by.
struct CodedPictures: Sendable {
    let bytes: ItemBytes
    let pictures: any CodedPictureDecoding
}
