public import FoundationEssentials
internal import LazyBase
public import LazyLoading
public import LazyPipeline
public import LazyRenditions

/// The buckets of S3, or of what speaks its protocol: as sources, and as a store of results that servers share.
///
/// Requests are signed with the key of `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, of the file of credentials
/// (`AWS_SHARED_CREDENTIALS_FILE`, `AWS_PROFILE`) or of the machine's role, which is looked for before it expires.
///
/// ```swift
/// let storage = S3Storage(region: "eu-central-1")
/// pipeline.dataLoader = storage.loader(next: pipeline.dataLoader)
/// pipeline.renditionStore = storage.results(in: "my-results")
/// ```
public struct S3Storage: Sendable {
    private let client: S3Client

    /// Makes a description of buckets; nothing is asked for yet.
    ///
    /// - Parameters:
    ///   - endpoint: The address that precedes buckets; else `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, or that of AWS.
    ///   - region: The region; else `AWS_REGION`, `AWS_DEFAULT_REGION`, or `us-east-1`.
    ///   - usesPathStyle: Whether buckets are a part of the path rather than of the name of the host; unless it is said,
    ///     where there is an endpoint.
    ///   - environment: The variables that say the rest.
    public init(
        endpoint: String? = nil, region: String? = nil, usesPathStyle: Bool? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        func variable(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let region = region ?? variable("AWS_REGION", "AWS_DEFAULT_REGION") ?? "us-east-1"
        let own = endpoint ?? variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
        var address = own ?? "https://s3.\(region).amazonaws.com"
        if !address.contains("://") { address = "https://" + address }
        while address.hasSuffix("/") { address.removeLast() }
        client = S3Client(
            S3Endpoint(address: address, usesPathStyle: usesPathStyle ?? (own != nil)),
            region: region, AccessKeys(environment: environment))
    }

    /// A loader of `s3://bucket/key`, by ranges too; all other URLs are loaded by `next`.
    ///
    /// Responses are kept in `store`, in memory only while they are loaded without one.
    public func loader(
        store: (any EntryStoring)? = nil, next: any DataLoading
    ) -> any DataLoading {
        S3Loader(client, store: store ?? PartialMemory.shared, next: next)
    }

    /// A store of results in a bucket, below a prefix.
    ///
    /// The first result under a key stays (`If-None-Match`). Where the bucket fails, results are made without it.
    public func results(in bucket: String, prefix: String = "") -> any Rendition.Storing {
        S3Results(client, bucket: bucket, prefix: prefix)
    }
}
