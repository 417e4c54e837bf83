// The shaders, GLSL 1.20. One pair draws every surface: a sun with a shadow map (osgShadow; without it where SHADOWS is not defined), sky
// light from above and a weak reflection from below. The ground is a chequered plane in the same light that fades into the sky; the sky is
// a rectangle behind everything; overlays have their colour, a little darker where they turn away. Each has a program of its own: where
// software draws, both sides of a branch cost their time in every pixel.
#pragma once

namespace vertebra::viewer {

// What surfaces and the ground share: the light of sun and sky.
inline const char* const kLight = R"(
#ifdef SHADOWS
uniform sampler2DShadow osgShadow_shadowTexture;
uniform float texel;  // of the shadow's picture, as a share of its edge
float sunlit() {  // four by four texels: each look averages two by two
  vec4 at = gl_TexCoord[1];
  float step = texel * at.w;
  return 0.25 * (shadow2DProj(osgShadow_shadowTexture, at + vec4(-step, -step, 0.0, 0.0)).r +
                 shadow2DProj(osgShadow_shadowTexture, at + vec4(step, -step, 0.0, 0.0)).r +
                 shadow2DProj(osgShadow_shadowTexture, at + vec4(-step, step, 0.0, 0.0)).r +
                 shadow2DProj(osgShadow_shadowTexture, at + vec4(step, step, 0.0, 0.0)).r);
}
#else
float sunlit() { return 1.0; }
#endif
vec3 lightOf(float above, float direct) {
  return mix(vec3(0.32, 0.30, 0.28), vec3(0.46, 0.50, 0.56), above) + direct * vec3(0.78, 0.72, 0.62);
}
)";

inline const char* const kSurfaceVertex = R"(
varying vec3 normal;
varying vec3 toEye;
void main() {
  vec4 eye = gl_ModelViewMatrix * gl_Vertex;
  normal = gl_NormalMatrix * gl_Normal;
  toEye = -eye.xyz;
#ifdef SHADOWS
  gl_TexCoord[1] = vec4(dot(gl_EyePlaneS[1], eye), dot(gl_EyePlaneT[1], eye), dot(gl_EyePlaneR[1], eye), dot(gl_EyePlaneQ[1], eye));
#endif
  gl_FrontColor = gl_Color;
  gl_BackColor = gl_Color;
  gl_Position = gl_ProjectionMatrix * eye;
})";

inline const char* const kSurfaceFragment = R"(
uniform vec3 sunInEye, upInEye;
varying vec3 normal;
varying vec3 toEye;
void main() {
  vec3 n = normalize(gl_FrontFacing ? normal : -normal);
  float facing = max(dot(n, sunInEye), 0.0);
  float direct = facing * sunlit();
  vec3 halfway = normalize(sunInEye + normalize(toEye));
  vec3 gloss = vec3(0.16) * direct * pow(max(dot(n, halfway), 0.0), 40.0);
  gl_FragColor = vec4(gl_Color.rgb * lightOf(0.5 + 0.5 * dot(n, upInEye), direct) + gloss, gl_Color.a);
})";

inline const char* const kGroundVertex = R"(
uniform mat4 osg_ViewMatrixInverse;
uniform float tile;  // m, edge of a tile
varying vec3 toEye;
varying vec2 tiles;  // where, in tiles
void main() {
  vec4 eye = gl_ModelViewMatrix * gl_Vertex;
  toEye = -eye.xyz;
  tiles = (osg_ViewMatrixInverse * eye).xy / tile;
#ifdef SHADOWS
  gl_TexCoord[1] = vec4(dot(gl_EyePlaneS[1], eye), dot(gl_EyePlaneT[1], eye), dot(gl_EyePlaneR[1], eye), dot(gl_EyePlaneQ[1], eye));
#endif
  gl_Position = gl_ProjectionMatrix * eye;
})";

inline const char* const kGroundFragment = R"(
uniform vec3 sunDirection;  // world
uniform vec3 haze;
uniform float reach;        // m, distance at which the ground is lost in haze
varying vec3 toEye;
varying vec2 tiles;
// Share of dark tiles in a pixel: the chequers filtered by a box of the pixel's size.
float chequers(vec2 p) {
  vec2 w = max(fwidth(p), vec2(1e-4));
  vec2 i = 2.0 * (abs(fract((p - 0.5 * w) * 0.5) - 0.5) - abs(fract((p + 0.5 * w) * 0.5) - 0.5)) / w;
  return 0.5 - 0.5 * i.x * i.y;
}
void main() {
  float side = gl_FrontFacing ? 1.0 : -1.0;  // seen from above or from below
  float direct = max(side * sunDirection.z, 0.0) * sunlit();
  vec3 colour = mix(vec3(0.76, 0.76, 0.745), vec3(0.63, 0.635, 0.63), chequers(tiles));
  gl_FragColor = vec4(mix(colour * lightOf(0.5 + 0.5 * side, direct), haze, smoothstep(0.25, 1.0, length(toEye) / reach)), 1.0);
})";

inline const char* const kDepthVertex = "void main() { gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex; }";
inline const char* const kDepthFragment = "void main() {}";

inline const char* const kSkyVertex = R"(
varying vec3 ray;
uniform mat4 osg_ViewMatrixInverse;
void main() {
  vec4 far = gl_ProjectionMatrixInverse * vec4(gl_Vertex.xy, 1.0, 1.0);
  ray = (osg_ViewMatrixInverse * vec4(far.xyz / far.w, 0.0)).xyz;
  gl_Position = vec4(gl_Vertex.xy, 1.0, 1.0);
})";

inline const char* const kSkyFragment = R"(
varying vec3 ray;
uniform vec3 haze;
void main() {
  float height = normalize(ray).z;
  gl_FragColor = vec4(mix(haze, vec3(0.56, 0.69, 0.85), smoothstep(0.0, 0.55, height)), 1.0);
})";

inline const char* const kOverlayVertex = R"(
varying float facing;
void main() {
  facing = normalize(gl_NormalMatrix * gl_Normal).z;
  gl_FrontColor = gl_Color;
  gl_Position = ftransform();
})";

inline const char* const kOverlayFragment = R"(
varying float facing;
void main() {
  gl_FragColor = vec4(gl_Color.rgb * (0.72 + 0.28 * abs(facing)), gl_Color.a);
})";

}  // namespace vertebra::viewer
