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
        let known = Set(Setting.all.map(\.flag))
        for argument in arguments where argument.hasPrefix("-") && Double(argument) == nil {
            let flag = String(argument.prefix { $0 != "=" })
            guard known.contains(flag) else {
                throw Fault(description: "The flag \(flag) is not known; --help lists them.")
            }
        }
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

    func text(_ name: String) -> String? {
        // A value that is a number in the file is one here.
        reader.string(forKey: ConfigKey(name))
            ?? reader.int(forKey: ConfigKey(name)).map { "\($0)" }
    }

    func list(_ name: String) -> [String] {
        (reader.stringArray(forKey: ConfigKey(name)) ?? text(name).map { [$0] } ?? [])
            .flatMap { $0.split(separator: ",").map { String($0) } }
    }

    func flag(_ name: String, usual: Bool = false) -> Bool {
        reader.bool(forKey: ConfigKey(name), default: usual)
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
            let value = text(setting.name) ?? (flag(setting.name) ? "true" : "")
            let shown = value.isEmpty ? "(unset)" : setting.isSecret ? "(set)" : value
            return "\(setting.flag) \(shown)"
        }.joined(separator: "\n")
    }
}
