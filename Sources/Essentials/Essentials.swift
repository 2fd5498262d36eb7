// The part of Foundation that every layer uses, and the C library.
//
// On Linux that is FoundationEssentials alone: Foundation would bring ICU along, whose tables are half of a statically
// linked program. Elsewhere Foundation belongs to the system and costs nothing.
#if canImport(Glibc)
    @_exported import FoundationEssentials
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import FoundationEssentials
    @_exported import Musl
#else
    @_exported import Foundation
#endif
