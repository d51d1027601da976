// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "isolation",
    dependencies: [.package(name: "lazyimg", path: "../..")],
    targets: [
        .executableTarget(
            name: "isolation", dependencies: [.product(name: "LazyKit", package: "lazyimg")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
