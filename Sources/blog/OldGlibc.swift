// The C library's `hypot` and `hypotf`, to which the static Swift library refers although nothing here calls them.
//
// glibc's own are of version 2.35: with them, the program wouldn't start on systems with 2.34, such as RHEL 9.
// `Tools/release` checks that no other symbol is newer.

#if os(Linux)
    @_cdecl("hypot")
    func lengthOfVector(_ x: Double, _ y: Double) -> Double {
        if x.isInfinite || y.isInfinite { return .infinity }
        let (long, short) = (max(x.magnitude, y.magnitude), min(x.magnitude, y.magnitude))
        // Squares of the lengths themselves could overflow.
        let ratio = long == 0 ? 0 : short / long
        return long * (1 + ratio * ratio).squareRoot()
    }

    @_cdecl("hypotf")
    func lengthOfVector(_ x: Float, _ y: Float) -> Float { Float(lengthOfVector(Double(x), Double(y))) }
#endif
