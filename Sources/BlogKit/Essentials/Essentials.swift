// Foundation and the C library, for every layer.
//
// On Linux it is only FoundationEssentials, because Foundation depends on ICU, whose tables would be half of a
// statically linked program. Elsewhere, Foundation is part of the system.
#if canImport(Glibc)
    @_exported import FoundationEssentials
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import FoundationEssentials
    @_exported import Musl
#else
    @_exported import Foundation
#endif
