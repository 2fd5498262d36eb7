#!/usr/bin/env python3
"""Generates Sources/Rendering/Map/LandOutline.swift, the outline of the land on maps.

    pip download --no-deps geopandas==0.14.4
    unzip -j geopandas-0.14.4-*.whl '*/naturalearth_lowres.shp'
    Tools/land_outline.py naturalearth_lowres.shp > Sources/Rendering/Map/LandOutline.swift

The data is from Natural Earth at 1:110m (https://www.naturalearthdata.com), in the public domain. The Python package
geopandas 0.14.4 contains its countries; Natural Earth's own ne_110m_land.shp works as well.
"""

import struct
import sys

STEPS_PER_DEGREE = 10
CHARACTERS_PER_LINE = 112


def main():
    outlines = joined(edges_of_land(rings(sys.argv[1])))
    encoded = ";".join(encode(outline) for outline in map(rounded, outlines) if len(outline) > 2)
    lines = [encoded[at:at + CHARACTERS_PER_LINE] for at in range(0, len(encoded), CHARACTERS_PER_LINE)]
    print(SWIFT % "\n".join("        " + line for line in lines))


def rings(path):
    """The rings of all polygons in a shapefile, as lists of (longitude, latitude)."""
    with open(path, "rb") as file:
        data = file.read()
    result, start = [], 100
    while start < len(data):
        words, = struct.unpack_from(">i", data, start + 4)
        ring_count, point_count = struct.unpack_from("<2i", data, start + 8 + 36)
        starts = struct.unpack_from(f"<{ring_count}i", data, start + 8 + 44)
        numbers = struct.unpack_from(f"<{2 * point_count}d", data, start + 8 + 44 + 4 * ring_count)
        points = list(zip(numbers[::2], numbers[1::2]))
        result += [points[first:end] for first, end in zip(starts, starts[1:] + (point_count,))]
        start += 8 + 2 * words
    return result


def edges_of_land(rings):
    """The next point of each point on a coast. Borders are in two rings, once in each direction, and so is the edge of
    flat maps at 180 degrees: neither is a coast."""
    edges = set()
    for ring in rings:
        points = [on_globe(point) for point in ring]
        for edge in zip(points, points[1:]):
            if edge[::-1] in edges:
                edges.remove(edge[::-1])
            elif edge[0] != edge[1]:
                edges.add(edge)
    follower = dict(edges)
    assert len(follower) == len(edges), "two coasts meet in a point"
    return follower


def on_globe(point):
    """The point in normalized coordinates, without rounding errors."""
    longitude, latitude = (round(degrees, 6) for degrees in point)
    return (0 if abs(latitude) == 90 else -180 if longitude == 180 else longitude, latitude)


def joined(follower):
    """The closed outlines, without repeating their first point."""
    while follower:
        outline = [min(follower)]
        while (point := follower.pop(outline[-1])) != outline[0]:
            outline.append(point)
        yield outline


def rounded(outline):
    points = [tuple(round(degrees * STEPS_PER_DEGREE) for degrees in point) for point in outline]
    return [point for point, following in zip(points, points[1:] + points[:1]) if point != following]


def encode(outline):
    """The points as differences in the "encoded polyline algorithm format", longitude first."""
    text, last = "", (0, 0)
    for point in outline:
        # The short way across 180 degrees.
        east = (point[0] - last[0] + 180 * STEPS_PER_DEGREE) % (360 * STEPS_PER_DEGREE) - 180 * STEPS_PER_DEGREE
        text += encode_number(east) + encode_number(point[1] - last[1])
        last = point
    return text


def encode_number(number):
    rest = ~(number << 1) if number < 0 else number << 1
    text = ""
    while rest >= 32:
        text += chr((rest & 31 | 32) + 63)
        rest >>= 5
    return text + chr(rest + 63)


SWIFT = '''/// The outline of the land, made by Tools/land_outline.py from Natural Earth's at 1:110m, which is in the
/// public domain (https://www.naturalearthdata.com).
enum LandOutline {
    /// Closed outlines with a semicolon between them.
    ///
    /// Each is a list of numbers, longitude and latitude by turns, in tenths of a degree and as differences from the
    /// point before, in the "encoded polyline algorithm format"
    /// (https://developers.google.com/maps/documentation/utilities/polylinealgorithm).
    static let encoded = #"""
%s
        """#
}'''

if __name__ == "__main__":
    main()
