internal import LazyBase
internal import LazyIsolation
internal import LazyMedia

/// Something that machines have or lack, and what that changes.
struct MachineFact: Equatable {
    let name: String
    let found: String
    /// What lazyimg does without it; nil where nothing is missing.
    var effect: String?

    /// What was found and what follows, for people.
    var text: String { effect.map { "\(found); \($0)" } ?? found }

    var json: JSONValue {
        .object([
            ("name", .string(name)), ("found", .string(found)),
            ("effect", .string(orNull: effect)),
        ])
    }
}

extension MachineFact {
    /// Which layers keep a decoder from the rest of the machine.
    static func isolation(_ report: () throws(MediaError) -> IsolationReport) -> [MachineFact] {
        do throws(MediaError) {
            let report = try report()
            return IsolationLayer.allCases.map { MachineFact($0, report) }
        } catch {
            return [
                MachineFact(
                    name: "isolation", found: "none: \(error.message)",
                    effect: "what would be isolated is refused; --isolate never reads it")
            ]
        }
    }

    private init(_ layer: IsolationLayer, _ report: IsolationReport) {
        switch report.layers[layer] {
        case .present:
            self.init(
                name: layer.summary,
                found: layer == .landlock ? "yes, version \(report.landlockVersion ?? 0)" : "yes")
        case .refused(let error):
            self.init(name: layer.summary, found: "no: \(error)", effect: Self.effect(of: layer))
        case .notTried, nil:
            self.init(name: layer.summary, found: "not tried", effect: Self.effect(of: layer))
        }
    }

    /// What happens without a layer.
    private static func effect(of layer: IsolationLayer) -> String {
        if IsolationPolicy.standard.required.contains(layer) {
            "what would be isolated is refused"
        } else if IsolationPolicy.untrusted.required.contains(layer) {
            "--limits untrusted refuses to decode, and the rest is isolated by the other layers"
        } else {
            "media is isolated by the other layers"
        }
    }
}
