// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "download",
    dependencies: [.package(name: "lazyimg", path: "../..")],
    targets: [
        .executableTarget(
            name: "download",
            dependencies: [
                .product(name: "LazyLoading", package: "lazyimg"),
            ])
    ]
)
