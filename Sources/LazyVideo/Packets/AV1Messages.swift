/// Messages in the metadata units of AV1 (AV1 specification, 5.8).
enum AV1Messages {
    /// Whether a packet has metadata of HDR10+: those registered by ITU-T T.35 have the type 4.
    static func haveHDR10Plus(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var isFound = false
        OBU.forEach(bytes) { unit in
            guard unit.type == 5, !unit.payload.isEmpty, bytes[unit.payload.lowerBound] == 4 else {
                return
            }
            if HDRMetadata.isHDR10Plus(bytes[unit.payload.dropFirst()]) { isFound = true }
        }
        return isFound
    }
}
