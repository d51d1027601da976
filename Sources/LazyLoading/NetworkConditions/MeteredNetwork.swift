internal import CSystemBus
internal import Glibc

/// What the system says of its network: whether bytes cost money, or are few.
public struct MeteredNetwork: Hashable, Sendable, CustomStringConvertible {
    /// Whether it is metered, also by a guess of the system; nil where nobody can tell.
    public let isMetered: Bool?
    /// Who said so, or why nobody did: one sentence.
    public let description: String

    /// Asks the system once.
    ///
    /// NetworkManager by its `Metered`, or the portal of the desktop where the process is in a sandbox
    /// (Flatpak, Snap). Blocks until the answer is there, a second at most, and a moment where there is
    /// no D-Bus.
    public static func ask() -> MeteredNetwork { ask(.ofThisProcess) }

    static func ask(_ authority: NetworkAuthority) -> MeteredNetwork {
        do {
            return try authority.connect().ask()
        } catch {
            return error.network
        }
    }
}

/// Who is asked, and where.
struct NetworkAuthority: Sendable {
    /// How long an answer may take.
    static let patience: UInt64 = 1_000_000

    var isPortal = false
    /// The bus, or nil for where the environment says.
    var address: String?

    /// The portal in a sandbox, where the bus of the system cannot be reached; else NetworkManager.
    static var ofThisProcess: NetworkAuthority {
        let isFlatpak = access("/.flatpak-info", F_OK) == 0
        return NetworkAuthority(isPortal: isFlatpak || getenv("SNAP") != nil)
    }

    var name: String { isPortal ? "The desktop's portal" : "NetworkManager" }
    var busName: String { isPortal ? "the session" : "the system" }
    fileprivate var service: LZBusService { isPortal ? LZ_BUS_PORTAL : LZ_BUS_NETWORK_MANAGER }

    func connect() throws(NetworkSilence) -> BusConnection { try BusConnection(self) }

    /// What a number means: NetworkManager's `NMMetered`, where 3 and 4 are guesses, or the portal's flag.
    fileprivate func network(_ number: CInt) -> MeteredNetwork {
        switch number {
        case 1: MeteredNetwork(isMetered: true, description: "\(name) says that it is metered.")
        case 3: MeteredNetwork(isMetered: true, description: "\(name) guesses that it is metered.")
        case 0 where isPortal, 2:
            MeteredNetwork(isMetered: false, description: "\(name) says that it is not metered.")
        case 4:
            MeteredNetwork(
                isMetered: false, description: "\(name) guesses that it is not metered.")
        default: MeteredNetwork(isMetered: nil, description: "\(name) does not know.")
        }
    }

    fileprivate func silence(_ status: CInt) -> MeteredNetwork {
        let reason =
            switch -status {
            case ENXIO, EHOSTUNREACH: "it does not run"
            case ETIMEDOUT: "it takes too long"
            default: String(cString: strerror(-status))
            }
        return MeteredNetwork(
            isMetered: nil, description: "\(name) gives no answer: \(reason).")
    }

    fileprivate func absence(_ status: CInt) -> MeteredNetwork {
        let reason =
            switch -status {
            case ENOENT, ENOMEDIUM, ECONNREFUSED: "there is none"
            case ETIMEDOUT: "it takes too long"
            default: String(cString: strerror(-status))
            }
        return MeteredNetwork(
            isMetered: nil, description: "The bus of \(busName) cannot be reached: \(reason).")
    }
}

/// Why nobody can be asked.
struct NetworkSilence: Error {
    let network: MeteredNetwork
}

/// A connection to a bus; for one thread at a time.
///
/// Unchecked: its owner hands it to one thread, and does not touch it any more.
final class BusConnection: @unchecked Sendable {
    private let bus: OpaquePointer
    private let authority: NetworkAuthority
    /// Counts what may have changed the answer.
    private let changes: UnsafeMutablePointer<CUnsignedInt>

    fileprivate init(_ authority: NetworkAuthority) throws(NetworkSilence) {
        guard lz_bus_load() == 0 else {
            throw NetworkSilence(
                network: MeteredNetwork(
                    isMetered: nil, description: String(cString: lz_bus_load_message())))
        }
        var bus: OpaquePointer?
        let status = lz_bus_open(
            authority.service, authority.address, NetworkAuthority.patience, &bus)
        guard status == 0, let bus else {
            throw NetworkSilence(network: authority.absence(status))
        }
        self.bus = bus
        self.authority = authority
        changes = .allocate(capacity: 1)
        changes.initialize(to: 0)
    }

    deinit {
        lz_bus_close(bus)
        changes.deallocate()
    }

    func ask() -> MeteredNetwork {
        let number = lz_bus_metered(bus, authority.service, NetworkAuthority.patience)
        return number < 0 ? authority.silence(number) : authority.network(number)
    }

    /// Has changes told from now on; false where the bus does not.
    func watch() -> Bool { lz_bus_watch(bus, authority.service, changes) >= 0 }

    /// Blocks until the answer may have changed; false when the bus is gone, or the descriptor closed.
    func waitForChange(until other: CInt) -> Bool {
        while changes.pointee == 0 {
            guard lz_bus_wait(bus, other) == 0 else { return false }
        }
        changes.pointee = 0
        return true
    }
}
