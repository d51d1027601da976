internal import LazyBase

/// Counts the complete scans of a JPEG that is being downloaded; reads each byte once.
///
/// ITU-T T.81, annex B: segments with a length, and after each `SOS` entropy-coded data up to the
/// next marker that is neither a stuffed byte nor a restart.
struct JPEGScanCounter {
    /// Whether the image is progressive; nil before the frame header has arrived.
    private(set) var isProgressive: Bool?
    /// The number of complete scans.
    private(set) var scanCount = 0
    /// The end of the last complete scan.
    private(set) var scanEnd = 0

    private var position = 2
    private var isInScan = false
    private var isBroken = false

    /// Reads the bytes that have arrived since the last call.
    mutating func advance(_ blob: Blob) {
        var window = BlobWindow(blob)
        while !isBroken, isInScan ? finishScan(&window) : readSegment(&window) {}
    }

    /// Reads up to the frame header only.
    mutating func findFrameHeader(_ blob: Blob) {
        var window = BlobWindow(blob)
        while !isBroken, isProgressive == nil, !isInScan, readSegment(&window) {}
    }

    /// Skips a segment; returns false if it has not arrived yet.
    private mutating func readSegment(_ window: inout BlobWindow) -> Bool {
        guard let first = window.byte(at: position), let marker = window.byte(at: position + 1)
        else { return false }
        guard first == 0xFF, marker != 0xD9 else {
            isBroken = true
            return false
        }
        // Fill bytes precede a marker; restarts and TEM have no length.
        if marker == 0xFF || marker == 0x01 || (0xD0...0xD7).contains(marker) {
            position += marker == 0xFF ? 1 : 2
            return true
        }
        guard let length = window.bigEndian16(at: position + 2) else { return false }
        switch marker {
        case 0xC4, 0xC8, 0xCC: break
        // The progressive frame headers: C2, C6, CA, CE.
        case 0xC0...0xCF: isProgressive = isProgressive ?? (marker & 3 == 2)
        case 0xDA: isInScan = true
        default: break
        }
        position += 2 + max(2, length)
        return true
    }

    /// Finds the marker after a scan's data; returns false if it has not arrived yet.
    private mutating func finishScan(_ window: inout BlobWindow) -> Bool {
        while let found = window.find(0xFF, from: position) {
            position = found
            guard let next = window.byte(at: found + 1) else { return false }
            if next == 0xFF {
                position += 1
            } else if next == 0 || (0xD0...0xD7).contains(next) {
                position += 2
            } else {
                isInScan = false
                scanCount += 1
                scanEnd = found
                return true
            }
        }
        // All available bytes were read.
        position = max(position, window.end)
        return false
    }
}
