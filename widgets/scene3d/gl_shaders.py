"""OpenGL shaders, for vertices and pixels, on a GPU or the program that stands in for one.

Colours leave as blue, green, red, rows from the top, as QImage has them.
"""

MESH_VERTEX = """
#version 330
uniform vec3 eye, place, to_sun, sun, ambient;
uniform mat3 turn;
uniform mat4 view;
uniform float haze_per_m, is_lit, grain_m;
in vec3 position, normal, colour;
in vec2 uv;
out vec3 lit;
out vec2 spot, fine;
out float veil;
void main() {
    vec3 way = turn * position + place - eye;
    vec3 up = normalize(turn * normal);
    float clear = mix(1.0, exp(-haze_per_m * length(way)), is_lit);
    // From either side: bodies may be thin.
    vec3 bright = ambient + sun * max(dot(up, to_sun), 0.0);
    lit = colour * mix(vec3(1.0), bright, is_lit) * clear;
    veil = 1.0 - clear;
    spot = uv;
    fine = position.xy / grain_m;
    gl_Position = view * vec4(way, 1.0);
}
"""

MESH = """
#version 330
uniform float opacity;
uniform vec3 haze;
in vec3 lit;
in float veil;
out vec4 pixel;
void main() {
    pixel = vec4((lit + haze * veil).bgr, opacity);
}
"""

MESH_WITH_PICTURE = """
#version 330
uniform sampler2D picture;
uniform float opacity;
uniform vec3 haze;
in vec3 lit;
in float veil;
in vec2 spot;
out vec4 pixel;
void main() {
    pixel = vec4((texture(picture, spot).rgb * lit + haze * veil).bgr, opacity);
}
"""

MESH_WITH_GRAIN = """
#version 330
uniform sampler2D picture, grain;
uniform float opacity;
uniform vec3 haze;
in vec3 lit;
in float veil;
in vec2 spot, fine;
out vec4 pixel;
void main() {
    vec3 colour = texture(picture, spot).rgb * (texture(grain, fine).r + 0.5);
    pixel = vec4((colour * lit + haze * veil).bgr, opacity);
}
"""

LINE_VERTEX = """
#version 330
uniform vec3 eye;
uniform mat4 view;
uniform vec2 half_px;
uniform float width_px, opacity, faint, nearest;
uniform int strong;
in vec3 start, end, start_colour, end_colour;
out vec4 tint;
void main() {
    vec4 a = view * vec4(start - eye, 1.0), b = view * vec4(end - eye, 1.0);
    // The part in front of the eye; of a line quite behind it nothing.
    float cut_a = clamp((nearest - a.w) / (b.w - a.w), 0.0, 1.0);
    float cut_b = clamp((nearest - b.w) / (a.w - b.w), 0.0, 1.0);
    vec4 from = a.w < nearest ? mix(a, b, cut_a) : a;
    vec4 to = b.w < nearest ? mix(b, a, cut_b) : b;
    vec2 along = (to.xy / to.w - from.xy / from.w) * half_px;
    vec2 way = along / max(length(along), 1e-6);
    bool is_start = gl_VertexID % 4 < 2;
    vec4 corner = is_start ? from : to;
    float side = gl_VertexID % 2 == 0 ? -0.5 : 0.5;
    corner.xy += vec2(-way.y, way.x) * side * width_px / half_px * corner.w;
    corner.z -= 2e-4 * corner.w;
    bool is_behind = a.w < nearest && b.w < nearest;
    gl_Position = is_behind ? vec4(2.0, 2.0, 2.0, 1.0) : corner;
    float share = gl_VertexID / 4 < strong ? 1.0 : faint;
    tint = vec4(is_start ? start_colour : end_colour, opacity * share);
}
"""

POINT_VERTEX = """
#version 330
uniform vec3 eye;
uniform mat4 view;
uniform float size_px;
in vec3 position, colour;
out vec4 tint;
void main() {
    gl_Position = view * vec4(position - eye, 1.0);
    gl_PointSize = size_px;
    tint = vec4(colour, 1.0);
}
"""

TINTED = """
#version 330
in vec4 tint;
out vec4 pixel;
void main() {
    pixel = tint.bgra;
}
"""

SKY_VERTEX = """
#version 330
uniform mat4 view;
uniform vec3 haze, zenith, below;
in vec3 way;
out vec4 tint;
void main() {
    float low = 1.0 - max(-way.z, 0.0);
    low *= low;
    vec3 colour = mix(zenith, haze, low * low);
    tint = vec4(mix(colour, below, clamp(100.0 * way.z, 0.0, 1.0)), 1.0);
    gl_Position = (view * vec4(way, 0.0)).xyww;  // as far away as anything can be
}
"""

SUN_VERTEX = """
#version 330
uniform mat4 view;
uniform vec3 to_sun, sun;
in vec2 angles;
out vec4 tint;
void main() {
    vec3 beside = abs(to_sun.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0);
    vec3 right = normalize(cross(to_sun, beside)), up = cross(to_sun, right);
    float towards = cos(angles.x), glow = max(16.0 * towards - 15.0, 0.0);
    vec3 aside = right * cos(angles.y) + up * sin(angles.y);
    float bright = 0.2 * glow * glow + clamp(2000.0 * towards - 1998.8, 0.0, 1.0);
    tint = vec4(sun * bright, 1.0);
    gl_Position = (view * vec4(to_sun * towards + aside * sin(angles.x), 0.0)).xyww;
}
"""
