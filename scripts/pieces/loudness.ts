/* Loudness by ITU-R BS.1770-4: two filters, mean squares of blocks of 400 ms, and two gates. */

interface Biquad {
  readonly b: readonly [number, number, number]
  readonly a: readonly [number, number]
}

/** Both filters of the K weighting at 48 kHz are these at any rate, by their analogue prototypes. */
function weighting(rate: number): readonly Biquad[] {
  return [shelf(rate), highPass(rate)]
}

function shelf(rate: number): Biquad {
  const [frequency, gain, quality] = [1681.974450955533, 3.999843853973347, 0.7071752369554196]
  const k = Math.tan((Math.PI * frequency) / rate)
  const high = 10 ** (gain / 20)
  const middle = high ** 0.4996667741545416
  const scale = 1 + k / quality + k * k
  return {
    b: [
      (high + (middle * k) / quality + k * k) / scale,
      (2 * (k * k - high)) / scale,
      (high - (middle * k) / quality + k * k) / scale,
    ],
    a: [(2 * (k * k - 1)) / scale, (1 - k / quality + k * k) / scale],
  }
}

function highPass(rate: number): Biquad {
  const [frequency, quality] = [38.13547087602444, 0.5003270373238773]
  const k = Math.tan((Math.PI * frequency) / rate)
  const scale = 1 + k / quality + k * k
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / scale, (1 - k / quality + k * k) / scale] }
}

function filtered(samples: Float32Array, { b, a }: Biquad): Float32Array {
  const out = new Float32Array(samples.length)
  let [x1, x2, y1, y2] = [0, 0, 0, 0]
  for (let index = 0; index < samples.length; index++) {
    const x = samples[index]!
    const y = b[0] * x + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2
    out[index] = y
    x2 = x1
    x1 = x
    y2 = y1
    y1 = y
  }
  return out
}

const BLOCK_SECONDS = 0.4
const OVERLAP = 4
const ABSOLUTE_GATE = -70
const RELATIVE_GATE = -10

/** Integrated loudness in LUFS; minus infinity for silence. */
export function loudnessOf(channels: readonly Float32Array[], rate: number): number {
  const weighted = channels.map((channel) => weighting(rate).reduce(filtered, channel))
  const block = Math.round(BLOCK_SECONDS * rate)
  const hop = Math.round(block / OVERLAP)
  const powers: number[] = []
  for (let from = 0; from + block <= (weighted[0]?.length ?? 0); from += hop) {
    let sum = 0
    for (const channel of weighted) for (let at = from; at < from + block; at++) sum += channel[at]! ** 2
    powers.push(sum / block)
  }
  const audible = powers.filter((power) => inLufs(power) > ABSOLUTE_GATE)
  const gate = inLufs(mean(audible)) + RELATIVE_GATE
  return inLufs(mean(audible.filter((power) => inLufs(power) > gate)))
}

function inLufs(power: number): number {
  return -0.691 + 10 * Math.log10(power)
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
