import FoundationEssentials
import Support
import Testing

@testable import LazyLoading

/// Where a load may connect to after a redirect.
@Suite struct RedirectStepTests {
    private func step(
        _ hops: [Bool], trusting host: String? = nil,
        _ policy: HTTPConfiguration.AddressPolicy = .any
    ) throws -> RedirectStep {
        var configuration = HTTPConfiguration()
        configuration.addressPolicy = policy
        var request = LoadRequest(url: address("http://a.test/"))
        request.trustedHost = host
        var step = try RedirectStep(of: request, configuration: configuration)
        for isPublic in hops {
            step = try step.following("http://a.test/next", status: 302, isPublic: isPublic)
        }
        return step
    }

    @Test(
        arguments: [
            ([], false), ([false], false), ([false, false], false), ([true], true),
            ([true, false], true), ([false, true, false], true),
        ] as [([Bool], Bool)])
    func `a redirect from the public Internet stays there`(hops: [Bool], isBound: Bool) throws {
        let step = try step(hops)
        #expect(step.mustBePublic == isBound)
        // A proxy is used all the same.
        #expect(!step.isPublicOnly)
        if isBound { #expect(step.notPublic.code == .redirect) }
        #expect(try self.step(hops, .publicOnly).mustBePublic)
        #expect(try self.step(hops, trusting: "b.test").mustBePublic)
        #expect(try self.step(hops, trusting: "").mustBePublic)
        #expect(try self.step(hops, trusting: "a.test").mustBePublic == isBound)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("[::1]", true), ("10.1.2.3", true), ("localhost", true),
        ("a.localhost", true), ("93.184.216.34", false), ("a.test", false), ("", false),
        ("localhost.test", false), ("[2606:2800:220:1::1]", false),
    ])
    func `a host is private by its text alone where no name is looked up`(
        host: String, isPrivate: Bool
    ) {
        #expect(IPAddress.isPrivate(host: host) == isPrivate)
    }
}
