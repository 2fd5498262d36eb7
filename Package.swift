// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// The command carries Swift's own libraries with it: it starts in half the time, in less memory, and runs where no Swift
// is installed. A toolchain that comes without them to link builds it with BLOG_SHARED=1, as do tests of a release build.
// LLD, unlike others, doesn't repeat to the user what glibc thinks of Foundation.
let released: BuildSettingCondition = .when(platforms: [.linux], configuration: .release)
let isShared = Context.environment["BLOG_SHARED"] != nil
let carriesItsLibraries = isShared ? [] : ["-static-stdlib"]
let findsThem = isShared ? [] : ["-use-ld=lld", "-L\(Context.packageDirectory)/Sources/Linking"]

let package = Package(
    name: "blog",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "BlogKit", targets: ["BlogKit"]),
        .executable(name: "blog", targets: ["blog"]),
    ],
    dependencies: [],
    targets: [
        .systemLibrary(name: "CSQLite"),
        .target(
            name: "BlogKit",
            dependencies: ["CSQLite"],
            swiftSettings: strict,
            linkerSettings: [
                // The toolchain itself needs this file, so it is there even where no -dev package is installed.
                .linkedLibrary(":libsqlite3.so.0", .when(platforms: [.linux])),
                .linkedLibrary("sqlite3", .when(platforms: [.macOS])),
            ]
        ),
        .executableTarget(
            name: "blog",
            dependencies: ["BlogKit"],
            swiftSettings: strict + [.unsafeFlags(carriesItsLibraries, released)],
            linkerSettings: [.unsafeFlags(carriesItsLibraries + findsThem, released)]
        ),
        .target(name: "MockServer", path: "mocks/MockServer", swiftSettings: strict),
        .executableTarget(
            name: "mock-server", dependencies: ["MockServer"], path: "mocks/mock-server", swiftSettings: strict),
        .testTarget(name: "BlogKitTests", dependencies: ["BlogKit", "MockServer"], swiftSettings: strict),
        .testTarget(name: "BlogTests", dependencies: ["blog", "BlogKit", "MockServer"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
