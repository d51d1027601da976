import CSystemBus
import Glibc
import HTTPSupport
import LazyBase
import Support
import Testing

@testable import LazyLoading

/// The metered state, from a real bus with a mock of NetworkManager or the portal.
@Suite(.needs("dbus-daemon"))
struct MeteredNetworkTests {
    let bus: MessageBus

    init() throws { bus = try MessageBus() }

    func authority(isPortal: Bool = false) -> NetworkAuthority {
        NetworkAuthority(isPortal: isPortal, address: bus.address)
    }

    @Test(arguments: [
        (false, 0, nil, "does not know"), (false, 1, true, "says that the network is metered"),
        (false, 2, false, "says that the network is not metered"),
        (false, 3, true, "guesses that the network is metered"),
        (false, 4, false, "guesses that the network is not metered"),
        (false, 9, nil, "does not know"),
        (true, 0, false, "says that the network is not metered"),
        (true, 1, true, "says that the network is metered"),
    ])
    func `each answer of a service is interpreted`(
        isPortal: Bool, number: UInt8, isMetered: Bool?, words: String
    ) throws {
        let service = try NetworkService(on: bus, isPortal: isPortal, number)
        let network = MeteredNetwork.ask(authority(isPortal: isPortal))
        #expect(network.isMetered == isMetered)
        #expect(network.description.contains(words))
        #expect(service.questions == 1)
    }

    @Test(arguments: [false, true])
    func `without an answer the network is unknown`(isPortal: Bool) {
        let network = MeteredNetwork.ask(authority(isPortal: isPortal))
        #expect(network.isMetered == nil)
        #expect(network.description.contains("does not answer: it is not running"))
    }

    @Test(arguments: [false, true])
    func `conditions follow the system`(isPortal: Bool) async throws {
        let service = try NetworkService(on: bus, isPortal: isPortal, 1)
        let conditions = NetworkConditions()
        let first = await conditions.follow(authority(isPortal: isPortal))
        #expect(first.isMetered == true)
        #expect(conditions.isConstrained)
        var changes = conditions.changes.makeAsyncIterator()
        #expect(await changes.next() == true)
        service.set(isPortal ? 0 : 2)
        #expect(await changes.next() == false)
        service.set(isPortal ? 1 : 3)
        #expect(await changes.next() == true)
    }

    @Test func `a late service counts, and one that stops is ignored`() async throws {
        let conditions = NetworkConditions(isConstrained: false)
        let first = await conditions.follow(authority())
        #expect(first.isMetered == nil)
        var changes = conditions.changes.makeAsyncIterator()
        #expect(await changes.next() == false)
        let service = try NetworkService(on: bus, isPortal: false, 1)
        #expect(await changes.next() == true)
        service.stop()
        #expect(await changes.next() == false)
    }

    @Test func `setting the state stops following the system`() async throws {
        let service = try NetworkService(on: bus, isPortal: false, 2)
        let conditions = NetworkConditions()
        await conditions.follow(authority())
        // The same as the system says, and yet a word of its own.
        conditions.isConstrained = false
        let other = NetworkConditions()
        await other.follow(authority())
        var changes = other.changes.makeAsyncIterator()
        #expect(await changes.next() == false)
        service.set(1)
        #expect(await changes.next() == true)
        #expect(!conditions.isConstrained)
        #expect(conditions.followedSystem == nil)
    }

    @Test func `without a service the state does not change`() async {
        let conditions = NetworkConditions(isConstrained: true)
        let network = await conditions.follow(
            NetworkAuthority(address: "unix:path=/nowhere/at/all"))
        #expect(network.isMetered == nil)
        #expect(network.description.contains("of the system cannot be reached: it does not exist"))
        #expect(conditions.isConstrained)
        #expect(conditions.followedSystem?.isFollowing == false)
    }

    @Test func `following ends with the conditions`() async throws {
        let service = try NetworkService(on: bus, isPortal: false, 1)
        weak var watch: MeteredWatch?
        do {
            let conditions = NetworkConditions()
            await conditions.follow(authority())
            watch = conditions.followedSystem
            #expect(watch?.isFollowing == true)
        }
        // The task that asked lets go of it an instant later.
        while watch != nil { await Task.yield() }
        #expect(service.questions == 1)
    }

    @Test func `a bus that ends blocks nobody`() async throws {
        let conditions = NetworkConditions()
        var own: MessageBus? = try MessageBus()
        let address = try #require(own?.address)
        let first = await conditions.follow(NetworkAuthority(address: address))
        own = nil
        #expect(first.isMetered == nil)
        #expect(MeteredNetwork.ask(NetworkAuthority(address: address)).isMetered == nil)
    }
}

struct SystemBusLibraryTests {
    @Test(arguments: [
        ("libnowhere.so.7", "which is not on this machine"), ("libc.so.6", "has no function"),
    ])
    func `a missing or wrong library is reported`(name: String, words: String) {
        var message = [CChar](repeating: 0, count: 256)
        #expect(lz_bus_try_load(name, &message, message.count) != 0)
        let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(name) && text.contains(words))
    }
}
