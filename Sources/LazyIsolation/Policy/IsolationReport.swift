internal import CSandbox
public import LazyBase

/// What isolation this machine offers, as a decoder found it.
public struct IsolationReport: Hashable, Sendable {
    /// What became of a layer.
    public enum State: Hashable, Sendable {
        /// It stands.
        case present
        /// The system refused it.
        case refused(SystemError)
        /// It was not tried.
        case notTried
    }

    /// The state of each layer.
    public let layers: [IsolationLayer: State]
    /// The version of Landlock, or nil where there is none.
    public let landlockVersion: Int?
    /// The user ID of decoders, as they see it.
    public let user: Int
    /// The path of the program that decodes.
    public let program: String

    /// The layers that stand.
    public var present: Set<IsolationLayer> { Set(layers.filter { $1 == .present }.keys) }

    init(_ report: sandbox_report, program: String) {
        let errors = withUnsafeBytes(of: report.errors) { Array($0.bindMemory(to: Int32.self)) }
        var layers: [IsolationLayer: State] = [:]
        for (layer, error) in zip(IsolationLayer.allCases, errors) {
            layers[layer] =
                error == 0 ? .present : error < 0 ? .notTried : .refused(SystemError(code: error))
        }
        self.layers = layers
        landlockVersion = report.landlock_abi > 0 ? Int(report.landlock_abi) : nil
        user = Int(report.user)
        self.program = program
    }
}

extension Set<IsolationLayer> {
    /// The bits of `sandbox_request.required`.
    var bits: UInt32 {
        IsolationLayer.allCases.enumerated().reduce(0) { bits, layer in
            contains(layer.element) ? bits | 1 << UInt32(layer.offset) : bits
        }
    }
}
