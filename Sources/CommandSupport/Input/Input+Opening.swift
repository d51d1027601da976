import Glibc
internal import LazyMedia

extension Input {
    /// Opens the media, after a download if necessary; `part` is what will be used.
    ///
    /// `didArrive` is called with parts that can be played before a download is complete.
    package func open(
        _ reading: Reading, part: InputPart = .all,
        didArrive: Network.ArrivalListener? = nil
    ) async throws(CommandFailure) -> OpenedInput {
        var opened: OpenedInput
        if case .remote(let url) = address {
            opened = try await reading.network.open(
                url, for: self, reading.limits(for: self), part, didArrive: didArrive)
        } else {
            opened = try openLocal(reading.limits(for: self))
        }
        opened.sequence = opened.sequence.rendered(
            color: reading.color, deinterlaces: reading.deinterlaces)
        return opened
    }

    // Blocks while the header is read.
    private func openLocal(_ limits: DecodingLimits) throws(CommandFailure) -> OpenedInput {
        if address == .standardInput, isatty(STDIN_FILENO) == 1 {
            throw .usage(
                "Standard input is a terminal.", hint: "Pipe media to it: cat FILE | lazyimg …")
        }
        do throws(MediaError) {
            let bytes = try bytes(limits)
            return OpenedInput(
                sequence: try Self.sequence(bytes, limits), transfer: nil,
                localByteCount: bytes.count)
        } catch {
            throw failure(error)
        }
    }
}
