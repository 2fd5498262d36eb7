// The C library's `hypotf`, to which the static Swift library refers although nothing here calls it.
//
// glibc's own is of version 2.35: with it, the program wouldn't start on systems with 2.34, such as RHEL 9.
// `Tools/release` checks that no other symbol is newer.

#if os(Linux)
    @_cdecl("hypotf")
    func lengthOfVector(_ x: Float, _ y: Float) -> Float {
        if x.isInfinite || y.isInfinite { return .infinity }
        // Squares of all its numbers fit into a Double.
        let (x, y) = (Double(x), Double(y))
        return Float((x * x + y * y).squareRoot())
    }
#endif
