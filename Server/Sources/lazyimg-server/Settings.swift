import Configuration
import FoundationEssentials
import SystemPackage

/// The settings of a run: those of flags before those of the environment and of a file.
struct Settings: Sendable {
    private let reader: ConfigReader

    /// An error in the settings, as a sentence.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads all of them; throws a sentence for an unknown flag or a file that cannot be read.
    init(_ arguments: [String]) async throws {
        try Self.check(arguments)
        let flags = CommandLineArgumentsProvider(arguments: ["lazyimg-server"] + arguments)
        let environment = EnvironmentVariablesProvider().prefixKeys(with: "lazyimg")
        var providers: [any ConfigProvider] = [flags, environment]
        if let file = ConfigReader(providers: providers).string(forKey: "config") {
            do {
                providers.append(
                    try await FileProvider<JSONSnapshot>(filePath: FilePath(file)))
            } catch { throw Fault(description: "The file \(file) cannot be read: \(error)") }
        }
        reader = ConfigReader(providers: providers)
    }

    /// Throws for a flag that is not known, one that is given twice, of which none would count, and other words.
    private static func check(_ arguments: [String]) throws {
        let known = Dictionary(uniqueKeysWithValues: Setting.all.map { ($0.flag, $0) })
        var seen: Set<String> = []
        var takesWord = false
        for argument in arguments {
            guard argument.hasPrefix("-"), Double(argument) == nil else {
                guard takesWord else {
                    throw Fault(
                        description: "The word \(argument) is not known; --help lists flags.")
                }
                takesWord = false
                continue
            }
            let flag = String(argument.prefix { $0 != "=" })
            guard let setting = known[flag] else {
                throw Fault(description: "The flag \(flag) is not known; --help lists them.")
            }
            guard seen.insert(flag).inserted || setting.isList else {
                throw Fault(description: "The flag \(flag) is given twice.")
            }
            takesWord = !argument.contains("=")
        }
    }

    func text(_ name: String) -> String? {
        // A value that is a number in the file is one here.
        reader.string(forKey: ConfigKey(name))
            ?? reader.int(forKey: ConfigKey(name)).map { "\($0)" }
    }

    func list(_ name: String) -> [String] {
        (reader.stringArray(forKey: ConfigKey(name)) ?? text(name).map { [$0] } ?? [])
            .flatMap { $0.split(separator: ",").map { String($0) } }
    }

    func flag(_ name: String, usual: Bool = false) throws -> Bool {
        guard let text = text(name)?.lowercased(), !text.isEmpty else {
            return reader.bool(forKey: ConfigKey(name), default: usual)
        }
        if ["true", "1", "yes", "on"].contains(text) { return true }
        guard ["false", "0", "no", "off"].contains(text) else {
            throw Fault(description: "The setting \(name) is true or false, not \(text).")
        }
        return false
    }

    func number(_ name: String) throws -> Double? {
        guard let text = text(name) else {
            return reader.double(forKey: ConfigKey(name))
        }
        guard let value = Double(text), value >= 0, value < 1e15 else {
            throw Fault(description: "The setting \(name) is no number: \(text).")
        }
        return value
    }

    func count(_ name: String) throws -> Int? { try number(name).map { Int($0) } }

    /// What counts, a setting a line, for people.
    var summary: String {
        Setting.all.map { setting in
            let value = text(setting.name) ?? ((try? flag(setting.name)) == true ? "true" : "")
            let shown =
                value.isEmpty ? "(unset)" : setting.isSecret ? "(set)" : value.withoutSecrets
            return "\(setting.flag) \(shown)"
        }.joined(separator: "\n")
    }
}

extension String {
    /// The same without the users and passwords of its addresses, and without what follows a question mark in one.
    ///
    /// An address may be signed by its query.
    var withoutSecrets: String {
        var text = replacing(/:\/\/[^\/@\s;,]*@/, with: "://***@")
        if let address = text.wholeMatch(of: /(?i)(https?:\/\/[^?]*)\?.+/) {
            text = address.1 + "?***"
        }
        return text
    }
}
