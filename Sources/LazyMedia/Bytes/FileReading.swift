/// A source whose bytes are the first ones of an open file.
package protocol FileReading: ByteSource {
    /// The file, for reading only; nil where there is none. Valid as long as this object.
    ///
    /// Its position is shared with all who have it: read at offsets.
    var openFile: CInt? { get }
}
