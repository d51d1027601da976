internal import CSystemBus
internal import Glibc

/// The system's information on whether its network is metered.
public struct MeteredNetwork: Hashable, Sendable, CustomStringConvertible {
    /// Whether it is metered, possibly as a guess of the system; nil if that is unknown.
    public let isMetered: Bool?
    /// The source of the information, or why there is none, as one sentence.
    public let description: String

    /// Asks the system once.
    ///
    /// Asks NetworkManager (`Metered`), or the desktop portal in a sandbox (Flatpak, Snap). Blocks
    /// until the answer, for at most a second.
    public static func ask() -> MeteredNetwork { ask(.ofThisProcess) }

    static func ask(_ authority: NetworkAuthority) -> MeteredNetwork {
        do {
            return try authority.connect().ask()
        } catch {
            return error.network
        }
    }
}

/// The service that is asked.
struct NetworkAuthority: Sendable {
    /// The timeout of a call, in microseconds.
    static let timeout: UInt64 = 1_000_000

    var isPortal = false
    /// The address of the bus, or nil for that of the environment.
    var address: String?

    /// The portal in a sandbox, which cannot reach the system bus; else NetworkManager.
    static var ofThisProcess: NetworkAuthority {
        let isFlatpak = access("/.flatpak-info", F_OK) == 0
        return NetworkAuthority(isPortal: isFlatpak || getenv("SNAP") != nil)
    }

    var name: String { isPortal ? "The desktop's portal" : "NetworkManager" }
    var busName: String { isPortal ? "the session" : "the system" }
    fileprivate var service: LZBusService { isPortal ? LZ_BUS_PORTAL : LZ_BUS_NETWORK_MANAGER }

    func connect() throws(NetworkUnknown) -> BusConnection { try BusConnection(self) }

    /// Interprets NetworkManager's `NMMetered`, of which 3 and 4 are guesses, or the portal's flag.
    fileprivate func network(_ number: CInt) -> MeteredNetwork {
        switch number {
        case 1:
            MeteredNetwork(
                isMetered: true, description: "\(name) says that the network is metered.")
        case 3:
            MeteredNetwork(
                isMetered: true, description: "\(name) guesses that the network is metered.")
        case 0 where isPortal, 2:
            MeteredNetwork(
                isMetered: false, description: "\(name) says that the network is not metered.")
        case 4:
            MeteredNetwork(
                isMetered: false, description: "\(name) guesses that the network is not metered.")
        default: MeteredNetwork(isMetered: nil, description: "\(name) does not know.")
        }
    }

    fileprivate func failure(_ status: CInt) -> MeteredNetwork {
        let reason =
            switch -status {
            case ENXIO, EHOSTUNREACH: "it is not running"
            case ETIMEDOUT: "it takes too long"
            default: String(cString: strerror(-status))
            }
        return MeteredNetwork(
            isMetered: nil, description: "\(name) does not answer: \(reason).")
    }

    fileprivate func connectionFailure(_ status: CInt) -> MeteredNetwork {
        let reason =
            switch -status {
            case ENOENT, ENOMEDIUM, ECONNREFUSED: "it does not exist"
            case ETIMEDOUT: "it takes too long"
            default: String(cString: strerror(-status))
            }
        return MeteredNetwork(
            isMetered: nil, description: "The bus of \(busName) cannot be reached: \(reason).")
    }
}

/// The network if no service can be asked.
struct NetworkUnknown: Error {
    let network: MeteredNetwork
}

/// A connection to a bus, for one thread at a time.
///
/// Unchecked: its owner passes it to one thread and does not use it afterwards.
final class BusConnection: @unchecked Sendable {
    private let bus: OpaquePointer
    private let authority: NetworkAuthority
    /// Counts signals that may have changed the answer.
    private let changes: UnsafeMutablePointer<CUnsignedInt>

    fileprivate init(_ authority: NetworkAuthority) throws(NetworkUnknown) {
        guard lz_bus_load() == 0 else {
            throw NetworkUnknown(
                network: MeteredNetwork(
                    isMetered: nil, description: String(cString: lz_bus_load_message())))
        }
        var bus: OpaquePointer?
        let status = lz_bus_open(
            authority.service, authority.address, NetworkAuthority.timeout, &bus)
        guard status == 0, let bus else {
            throw NetworkUnknown(network: authority.connectionFailure(status))
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
        let number = lz_bus_metered(bus, authority.service, NetworkAuthority.timeout)
        return number < 0 ? authority.failure(number) : authority.network(number)
    }

    /// Subscribes to changes; false if the bus does not support it.
    func watch() -> Bool { lz_bus_watch(bus, authority.service, changes) >= 0 }

    /// Blocks until the answer may have changed; false if the bus or the descriptor is closed.
    func waitForChange(until other: CInt) -> Bool {
        while changes.pointee == 0 {
            guard lz_bus_wait(bus, other) == 0 else { return false }
        }
        changes.pointee = 0
        return true
    }
}
