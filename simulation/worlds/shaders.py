"""Shaders of a scene, for vertices and pixels, on a GPU or the program that stands in for one.

Colours leave as blue, green, red, rows from the top, as OpenCV wants pictures. Beside them stand,
in `seen`, one over how many metres ahead a pixel's surface is, 0 for the sky, and the number of its
segment, -1 for the sky.
"""

SURFACE_VERTEX = """
#version 330
uniform vec3 eye, to_sun, sun, ambient, haze;
uniform float haze_per_m;
uniform mat4 view;
in vec3 position, normal, colour;
in float number;
out vec3 place, lit;
out vec4 veil;
flat out float segment;
void main() {
    segment = number;
    vec3 way = position - eye;
    float distance = length(way);
    float towards = max(dot(way, to_sun) / distance, 0.0);
    float clear = exp(-haze_per_m * distance);
    place = position;
    lit = colour * (ambient + sun * max(dot(normal, to_sun), 0.0)) * clear;
    float t2 = towards * towards, t4 = t2 * t2;
    veil = vec4((haze + sun * (0.25 * t4 * t4)) * (1.0 - clear), 1.0);
    gl_Position = view * vec4(way, 1.0);
}
"""

GROUND = """
#version 330
uniform sampler2D picture, grain;
uniform vec2 size_m, middle_m;
in vec3 place, lit;
in vec4 veil;
flat in float segment;
layout(location = 0) out vec4 pixel;
layout(location = 1) out vec2 seen;
void main() {
    vec3 colour = texture(picture, (place.yx - middle_m.yx) / size_m.yx + 0.5).rgb;
    float near = texture(grain, place.xy / 17.0).r + 0.5;
    pixel = vec4(colour * lit * near + veil.rgb, 1.0).bgra;
    seen = vec2(gl_FragCoord.w, segment);
}
"""

BODIES = """
#version 330
uniform sampler2D grain;
in vec3 place, lit;
in vec4 veil;
flat in float segment;
layout(location = 0) out vec4 pixel;
layout(location = 1) out vec2 seen;
void main() {
    float near = 0.5 * texture(grain, (place.xy + place.z * 0.7) / 11.0).r + 0.75;
    pixel = vec4(lit * near + veil.rgb, 1.0).bgra;
    seen = vec2(gl_FragCoord.w, segment);
}
"""

PICTURED_VERTEX = SURFACE_VERTEX.replace(
    "out vec3 place, lit;", "in vec2 at;\nout vec3 place, lit;\nout vec2 where;"
).replace("place = position;", "place = position;\n    where = at;")
"""The same for a surface that has a picture."""

PICTURED = """
#version 330
uniform sampler2D body, grain;
in vec3 place, lit;
in vec2 where;
in vec4 veil;
flat in float segment;
layout(location = 0) out vec4 pixel;
layout(location = 1) out vec2 seen;
void main() {
    float near = 0.5 * texture(grain, (place.xy + place.z * 0.7) / 11.0).r + 0.75;
    pixel = vec4(texture(body, where).rgb * lit * near + veil.rgb, 1.0).bgra;
    seen = vec2(gl_FragCoord.w, segment);
}
"""

SKY = """
#version 330
uniform sampler2D clouds;
uniform vec3 to_sun, sun, haze, zenith;
in vec3 way;
layout(location = 0) out vec4 pixel;
layout(location = 1) out vec2 seen;
void main() {
    vec3 d = normalize(way);
    float up = max(-d.z, 0.0);
    vec3 colour = mix(zenith, haze, exp(-6.0 * up));
    float cover = texture(clouds, d.xy / (up + 0.06) * 0.16).r;
    float cloud = smoothstep(0.5, 0.85, cover) * smoothstep(0.03, 0.2, up) * 0.8;
    colour = mix(colour, vec3(0.93), cloud);
    float towards = max(dot(d, to_sun), 0.0);
    float t2 = towards * towards, t4 = t2 * t2, t8 = t4 * t4, t16 = t8 * t8, t32 = t16 * t16;
    colour += sun * (0.25 * t8 + 0.35 * t32 * t16 * t8 * t4  // towards^60
                     + 2.0 * smoothstep(0.9994, 0.9999, towards));
    pixel = vec4(colour.bgr, 1.0);
    seen = vec2(0.0, -1.0);
}
"""
