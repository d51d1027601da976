internal import CPNG
internal import CScanline

extension PNGDecoder {
    /// The version of libpng that is loaded.
    package static var libraryVersion: String { String(cString: cpng_library_version()) }
}

extension PNGEncoder {
    /// The version of ISA-L that this was built with.
    package static var libraryVersion: String { String(cString: cscanline_isal_version()) }
}
