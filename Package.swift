// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A layer, which the compiler keeps apart from the others: its folder has the short name, its module begins with Blog,
/// because SwiftPM wants the names of targets to be unique among all packages that a program uses.
func layer(
    _ name: String, in room: String, uses dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = [],
    linkerSettings: [LinkerSetting] = []
) -> Target {
    .target(
        name: "Blog\(name)", dependencies: dependencies, path: "Sources/\(room)/\(name)",
        swiftSettings: strict + settings, linkerSettings: linkerSettings)
}

/// The tests of a module.
func tests(_ name: String, of modules: [Target.Dependency]) -> Target {
    .testTarget(
        name: name, dependencies: modules + ["BlogTestSupport"], path: "Tests/\(name)", swiftSettings: strict)
}

/// What the C libraries declare.
let clibraries: [Target] = [
    .systemLibrary(name: "BlogCSQLite", path: "Sources/C/CSQLite"),
    .systemLibrary(name: "BlogCCurl", path: "Sources/C/CCurl"),
    .systemLibrary(name: "BlogCMalloc", path: "Sources/C/CMalloc"),
    .systemLibrary(name: "BlogCSpawn", path: "Sources/C/CSpawn"),
    .target(name: "BlogCArguments", path: "Sources/C/CArguments"),
    // In C, because only C code can be given a text by its build. The Makefile sets the variable.
    .target(
        name: "BlogCBuild", path: "Sources/C/CBuild",
        cSettings: [.define("BLOG_COMMIT", to: "\"\(Context.environment["BLOG_COMMIT"] ?? "")\"")]),
]

/// The library that other programs may use: `import BlogKit`.
let library: [Target] = [
    // Replaces Foundation: on Linux, its part without ICU.
    layer("Essentials", in: "BlogKit"),
    layer("Model", in: "BlogKit", uses: ["BlogEssentials"]),
    layer(
        "Markup", in: "BlogKit", uses: ["BlogEssentials", "BlogModel"],
        linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
    layer(
        "HTTP", in: "BlogKit",
        uses: ["BlogEssentials", "BlogModel", .target(name: "BlogCCurl", condition: .when(platforms: [.linux]))]),
    layer("Feeds", in: "BlogKit", uses: ["BlogEssentials", "BlogModel", "BlogMarkup"]),
    layer(
        "Store", in: "BlogKit", uses: ["BlogEssentials", "BlogModel", "BlogMarkup", "BlogCSQLite"],
        // The store's components run on the actor that owns their database.
        settings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")],
        linkerSettings: [
            // The toolchain needs this file, so it exists even without SQLite's -dev package.
            .linkedLibrary(":libsqlite3.so.0", .when(platforms: [.linux])),
            .linkedLibrary("sqlite3", .when(platforms: [.macOS])),
        ]),
    // The library without URLSession: on Linux, the command uses libcurl, and starts in half the time because
    // FoundationNetworking isn't loaded.
    layer(
        "Library", in: "BlogKit",
        uses: ["BlogEssentials", "BlogModel", "BlogMarkup", "BlogHTTP", "BlogFeeds", "BlogStore"]),
    .target(
        name: "BlogKit", dependencies: ["BlogModel", "BlogMarkup", "BlogHTTP", "BlogLibrary"],
        path: "Sources/BlogKit/BlogKit", swiftSettings: strict),
]

/// How posts look, and how the program is operated.
let interface: [Target] = [
    layer(
        "Rendering", in: "Interface",
        uses: ["BlogEssentials", "BlogModel", "BlogMarkup", "BlogLibrary"]),
    layer("Terminal", in: "Interface", uses: ["BlogEssentials", "BlogModel", "BlogMarkup", "BlogRendering"]),
    // What can be typed: arguments, help, manual pages, completion, settings and keys, from one table of commands.
    layer(
        "CommandLine", in: "Interface",
        uses: [
            "BlogEssentials", "BlogModel", "BlogMarkup", "BlogHTTP", "BlogLibrary", "BlogRendering", "BlogTerminal",
        ]),
    // The full-screen reader as a pure state machine, without a terminal.
    layer(
        "Browse", in: "Interface",
        uses: [
            "BlogEssentials", "BlogModel", "BlogMarkup", "BlogLibrary", "BlogRendering", "BlogTerminal",
            "BlogCommandLine",
        ]),
]

/// The command.
let program: [Target] = [
    .executableTarget(
        name: "blog",
        dependencies: [
            "BlogEssentials", "BlogModel", "BlogMarkup", "BlogHTTP", "BlogLibrary", "BlogRendering", "BlogTerminal",
            "BlogCommandLine", "BlogBrowse", "BlogCArguments", "BlogCBuild", "BlogCMalloc",
            .target(name: "BlogKit", condition: .when(platforms: [.macOS])),
        ],
        swiftSettings: strict)
]

/// What only development needs.
let development: [Target] = [
    .target(name: "BlogMockServer", path: "mocks/MockServer", swiftSettings: strict),
    .executableTarget(
        name: "BlogMockServerProgram", dependencies: ["BlogMockServer"], path: "mocks/mock-server",
        swiftSettings: strict),
    // Extracts the articles of pages, for Benchmarks/articles.
    .executableTarget(
        name: "BlogArticleOfPage", dependencies: ["BlogMarkup"], path: "Benchmarks/article-of-page",
        swiftSettings: strict),
    // The code of the library's documentation, which uses only its public API.
    .executableTarget(
        name: "BlogExample", dependencies: ["BlogKit"], path: "docs/example", packageAccess: false,
        swiftSettings: strict),
    .target(
        name: "BlogTestSupport",
        dependencies: [
            "BlogEssentials", "BlogModel", "BlogMarkup", "BlogHTTP", "BlogFeeds", "BlogStore", "BlogLibrary", "BlogKit",
            "BlogRendering", "BlogTerminal", "BlogCommandLine", "BlogMockServer", "BlogCSpawn", "blog",
        ],
        path: "Tests/TestSupport", swiftSettings: strict),
    tests(
        "EssentialsTests",
        of: ["BlogEssentials", "BlogModel", "BlogMarkup", "BlogFeeds", "BlogLibrary", "BlogRendering"]),
    tests("ModelTests", of: ["BlogModel", "BlogStore"]),
    tests(
        "MarkupTests",
        of: [
            "BlogEssentials", "BlogModel", "BlogMarkup", "BlogHTTP", "BlogFeeds", "BlogStore", "BlogLibrary",
            "BlogRendering", "BlogMockServer",
        ]),
    tests(
        "HTTPTests",
        of: [
            "BlogEssentials", "BlogModel", "BlogHTTP", "BlogFeeds", "BlogStore", "BlogLibrary", "BlogRendering",
            "BlogMockServer",
        ]),
    tests("FeedsTests", of: ["BlogModel", "BlogMarkup", "BlogFeeds", "BlogLibrary", "BlogRendering"]),
    tests(
        "StoreTests",
        of: ["BlogModel", "BlogMarkup", "BlogHTTP", "BlogFeeds", "BlogStore", "BlogLibrary", "BlogRendering"]),
    tests(
        "LibraryTests",
        of: [
            "BlogEssentials", "BlogModel", "BlogMarkup", "BlogHTTP", "BlogFeeds", "BlogStore", "BlogLibrary", "BlogKit",
            "BlogRendering", "BlogMockServer",
        ]),
    tests("BlogKitTests", of: ["BlogKit"]),
    tests(
        "RenderingTests",
        of: [
            "BlogEssentials", "BlogModel", "BlogMarkup", "BlogHTTP", "BlogFeeds", "BlogStore", "BlogLibrary",
            "BlogRendering", "BlogMockServer",
        ]),
    tests(
        "TerminalTests",
        of: [
            "BlogEssentials", "BlogModel", "BlogHTTP", "BlogLibrary", "BlogRendering", "BlogTerminal", "blog",
        ]),
    tests(
        "BrowseTests",
        of: [
            "BlogModel", "BlogMarkup", "BlogHTTP", "BlogStore", "BlogLibrary", "BlogRendering", "BlogTerminal",
            "BlogBrowse", "BlogCommandLine", "blog", "BlogMockServer",
        ]),
    tests(
        "CommandLineTests",
        of: [
            "BlogEssentials", "BlogModel", "BlogMarkup", "BlogHTTP", "BlogFeeds", "BlogLibrary", "BlogRendering",
            "BlogTerminal", "BlogBrowse", "BlogCommandLine", "blog",
        ]),
    tests(
        "CommandTests",
        of: [
            "BlogMarkup", "BlogFeeds", "BlogStore", "BlogLibrary", "BlogRendering", "BlogTerminal", "BlogBrowse",
            "BlogCommandLine", "blog", "BlogMockServer",
        ]),
    tests(
        "MockServerTests",
        of: ["BlogModel", "BlogHTTP", "BlogFeeds", "BlogLibrary", "BlogKit", "BlogRendering", "BlogMockServer"]),
]

let package = Package(
    name: "blog",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "BlogKit", targets: ["BlogKit"]),
        .executable(name: "blog", targets: ["blog"]),
        .executable(name: "mock-server", targets: ["BlogMockServerProgram"]),
        .executable(name: "article-of-page", targets: ["BlogArticleOfPage"]),
    ],
    dependencies: [],
    targets: clibraries + library + interface + program + development,
    swiftLanguageModes: [.v6]
)
