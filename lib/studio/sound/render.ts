import type { Arrangement } from '#lib/engine/sound/arrangement.ts'
import { patternOf } from './pattern-of.ts'
import type { Pattern } from './synth/pattern.ts'
import { createSynthNode } from './synth-node.ts'

const RATE = 44_100
/** Notes ring out after the last step. */
const TAIL_SECONDS = 2.5
const ECHO_TAIL_SECONDS = 5
/** A stereo minute is 21 MB while it is rendered. */
const MAX_SECONDS = 10 * 60
const MAX_STEMS_SECONDS = 60 * 60

/** A file: its name, and a WAV's bytes. */
export interface Stem {
  readonly name: string
  readonly wav: Uint8Array<ArrayBuffer>
}

/**
 * Renders an arrangement once from its first step to its last, as it sounds, into a WAV of 16 bits.
 *
 * @throws {RenderError} When it is too long, or nothing sounds.
 */
export async function renderMix(arrangement: Arrangement): Promise<Uint8Array<ArrayBuffer>> {
  return writeWav(await render(patternOf({ ...arrangement, loop: false }, 0)))
}

/**
 * Renders each path that sounds into a file of its own, as loud as in the mix.
 *
 * @param onProgress Called after each with how many are done.
 * @throws {RenderError} As `renderMix`.
 */
export async function renderStems(
  arrangement: Arrangement,
  onProgress: (done: number, all: number) => void,
): Promise<Stem[]> {
  const pattern = patternOf({ ...arrangement, loop: false }, 0)
  if (secondsOf(pattern) * pattern.tracks.length > MAX_STEMS_SECONDS) {
    throw new RenderError(
      'These stems would be longer than an hour together. Turn voices off, or save the mix.',
    )
  }
  const stems: Stem[] = []
  for (const track of pattern.tracks) {
    const wav = writeWav(await render({ ...pattern, tracks: [track] }))
    const number = String(stems.length + 1).padStart(2, '0')
    stems.push({ name: `${number}_path_${track.key.replaceAll('/', '-')}_${track.instrument}.wav`, wav })
    onProgress(stems.length, pattern.tracks.length)
  }
  return stems
}

/** Why there is no rendering, as a sentence. */
export class RenderError extends Error {}

function secondsOf({ steps, stepSeconds, tracks }: Pattern): number {
  const echoes = tracks.some(({ echo }) => echo !== undefined) ? ECHO_TAIL_SECONDS : 0
  return steps * stepSeconds + TAIL_SECONDS + echoes
}

async function render(pattern: Pattern): Promise<AudioBuffer> {
  const seconds = secondsOf(pattern)
  if (pattern.tracks.length === 0) throw new RenderError('Nothing sounds: turn a voice on first.')
  if (seconds > MAX_SECONDS) {
    throw new RenderError(
      `This would last ${Math.ceil(seconds / 60)} minutes; at most ${MAX_SECONDS / 60} can be saved. Play fewer steps, or play faster.`,
    )
  }
  const context = new OfflineAudioContext(2, Math.ceil(seconds * RATE), RATE)
  const node = await createSynthNode(context, { pattern })
  node.connect(context.destination)
  return context.startRendering()
}

const HEADER_BYTES = 44

/** A buffer as RIFF WAVE, 16 bits a sample. */
export function writeWav(
  buffer: Pick<AudioBuffer, 'length' | 'numberOfChannels' | 'sampleRate' | 'getChannelData'>,
): Uint8Array<ArrayBuffer> {
  const { length, numberOfChannels, sampleRate } = buffer
  const frameBytes = numberOfChannels * 2
  const bytes = new Uint8Array(HEADER_BYTES + length * frameBytes)
  const view = new DataView(bytes.buffer)
  const text = (at: number, letters: string) => bytes.set(new TextEncoder().encode(letters), at)
  text(0, 'RIFF')
  view.setUint32(4, bytes.byteLength - 8, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, numberOfChannels, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * frameBytes, true)
  view.setUint16(32, frameBytes, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, length * frameBytes, true)
  for (let channel = 0; channel < numberOfChannels; channel++) {
    const samples = buffer.getChannelData(channel)
    for (let frame = 0; frame < length; frame++) {
      const sample = Math.max(-1, Math.min(1, samples[frame]!))
      view.setInt16(HEADER_BYTES + frame * frameBytes + channel * 2, Math.round(sample * 0x7fff), true)
    }
  }
  return bytes
}
