/* Every pixel finds its two threads, which of them lies on top, and how the light falls on it. */

export const VERTEX = `
attribute vec2 corner;
void main() { gl_Position = vec4(corner, 0.0, 1.0); }
`

export const FRAGMENT = `
precision highp float;
uniform sampler2D warp, weft;
uniform vec2 size, light;
uniform float threads, shown, time, pick;

float noise(vec2 at) { return fract(sin(dot(at, vec2(12.9898, 78.233))) * 43758.5453); }

/* x across the thread, y along it, both -1 to 1 over one crossing. */
float fibres(vec2 at, float seed) {
  float twist = sin(at.y * 5.0 + at.x * 7.0 + seed * 40.0);
  return 0.9 + 0.07 * twist + 0.05 * noise(floor(at * 9.0) + seed);
}

void main() {
  float cell = max(size.x, size.y) / shown;
  vec2 at = gl_FragCoord.xy / cell;
  /* The cloth hangs loosely. */
  at += 0.35 * vec2(sin(at.y * 0.31 + time * 0.5), sin(at.x * 0.27 - time * 0.4)) * 0.5;
  vec2 thread = floor(at);
  vec2 inside = fract(at) * 2.0 - 1.0;
  vec4 up = texture2D(warp, vec2((mod(thread.x, threads) + 0.5) / threads, 0.5));
  vec4 over = texture2D(weft, vec2((mod(thread.y, threads) + 0.5) / threads, 0.5));
  float lifted = mod(floor(up.a * 255.0 + 0.5) + floor(over.a * 255.0 + 0.5), 4.0);
  bool warpOnTop = lifted < 2.0;
  vec2 along = warpOnTop ? inside : inside.yx;
  vec3 colour = warpOnTop ? up.rgb : over.rgb;
  float seed = noise(warpOnTop ? vec2(thread.x, 3.0) : vec2(7.0, thread.y));
  /* Round across, bent down along to where it dives under the next. */
  float gap = smoothstep(1.0, 0.82, abs(along.x));
  vec3 normal = normalize(vec3(
    (warpOnTop ? vec2(along.x, along.y * 0.55) : vec2(along.y * 0.55, along.x)),
    1.15));
  vec3 to = normalize(vec3(light * 2.2 - (gl_FragCoord.xy / size) * 2.2, 0.9));
  float bright = 0.42 + 0.68 * max(0.0, dot(normal, to));
  float sheen = pow(max(0.0, dot(reflect(-to, normal), vec3(0.0, 0.0, 1.0))), 14.0) * 0.22;
  float sink = 1.0 - 0.35 * smoothstep(0.45, 1.0, abs(along.y));
  vec3 lit = colour * bright * fibres(along, seed) * sink + sheen;
  /* The thread of the step that sounds, across the whole cloth. */
  float struck = step(abs(mod(thread.y, threads) - pick), 0.5);
  lit = mix(lit, lit * 1.5 + vec3(0.22, 0.2, 0.16), struck);
  vec2 middle = gl_FragCoord.xy / size - 0.5;
  lit *= (0.16 + 0.84 * gap) * (1.08 - 0.55 * dot(middle, middle));
  gl_FragColor = vec4(lit, 1.0);
}
`
