internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading

// Where keys are, in the order and by the names that programs for AWS have agreed on.
extension AccessKeys {
    /// Variables of the environment, a file of credentials, and the metadata of the machine.
    convenience init(environment: [String: String]) {
        let file = AccessKeyFile(environment: environment)
        var places: [Place] = [
            { .success(AccessKey(environment: environment)) },
            { .success(await BlockingPool.disk.run { file?.key }) },
        ]
        if environment["AWS_EC2_METADATA_DISABLED"]?.lowercased() != "true" {
            let metadata = InstanceMetadata(
                endpoint: environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"])
            places.append {
                do throws(LoadingError) { return .success(try await metadata.key()) } catch {
                    return .failure(error)
                }
            }
        }
        self.init(places)
    }
}

extension AccessKey {
    /// The key of the environment; nil without one.
    init?(environment: [String: String]) {
        guard let id = environment["AWS_ACCESS_KEY_ID"], !id.isEmpty,
            let secret = environment["AWS_SECRET_ACCESS_KEY"], !secret.isEmpty
        else { return nil }
        let token = environment["AWS_SESSION_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        self.init(id: id, secret: secret, token: token)
    }
}

/// A file of credentials with a profile for each of its sections.
struct AccessKeyFile: Sendable {
    private static let maxBytes = 1 << 20

    let path: String
    let profile: String

    init(path: String, profile: String) { (self.path, self.profile) = (path, profile) }

    /// The file that the environment names; nil without one and without a home.
    init?(environment: [String: String]) {
        let home = environment["HOME"].map { $0 + "/.aws/credentials" }
        guard let path = environment["AWS_SHARED_CREDENTIALS_FILE"] ?? home else { return nil }
        self.init(path: path, profile: environment["AWS_PROFILE"] ?? "default")
    }

    /// The key of the profile; nil where there is none.
    ///
    /// Blocks.
    var key: AccessKey? {
        guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= Self.maxBytes
        else { return nil }
        return Self.key(in: String(decoding: data, as: UTF8.self), profile: profile)
    }

    static func key(in text: String, profile: String) -> AccessKey? {
        var values: [String: String] = [:]
        var isMeant = false
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmed
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                isMeant = line.dropFirst().dropLast().trimmed == profile
            } else if isMeant, let mark = line.firstIndex(of: "=") {
                let name = line[..<mark].trimmed.lowercased()
                values[name] = String(line[line.index(after: mark)...].trimmed)
            }
        }
        guard let id = values["aws_access_key_id"], !id.isEmpty,
            let secret = values["aws_secret_access_key"], !secret.isEmpty
        else { return nil }
        return AccessKey(id: id, secret: secret, token: values["aws_session_token"])
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return self[first...last]
    }
}
