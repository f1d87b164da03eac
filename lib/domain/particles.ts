/** Values of one leaf, in order. */
export interface ParticleStream {
  /** `/Connector:dimension` segments from the executed connector to the leaf. */
  readonly path: string
  readonly data: Uint32Array
}

export class MalformedParticles extends Error {
  override readonly name = 'MalformedParticles'
}

const WORD = 32

/**
 * Reads what `Runner.generate` returns, the ABI encoding of `(string path, bytes data)[]` with four big-endian
 * bytes a value. The encoder is untrusted: every offset and length is checked.
 *
 * @throws MalformedParticles when the bytes are not such an encoding.
 */
export function decodeParticles(encoded: Uint8Array): ParticleStream[] {
  const view = new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength)

  /** A word that has to be a small number: an offset or a length. */
  const size = (at: number): number => {
    if (at + WORD > encoded.length) throw new MalformedParticles('ends early')
    for (let i = at; i < at + WORD - 4; i += 4)
      if (view.getUint32(i) !== 0) throw new MalformedParticles('offset too large')
    return view.getUint32(at + WORD - 4)
  }
  const bytesAt = (at: number): Uint8Array => {
    const length = size(at)
    if (at + WORD + length > encoded.length) throw new MalformedParticles('ends early')
    return encoded.subarray(at + WORD, at + WORD + length)
  }

  const list = size(0)
  const count = size(list)
  const heads = list + WORD
  if (heads + count * WORD > encoded.length) throw new MalformedParticles('ends early')
  const text = new TextDecoder('utf-8', { fatal: true })
  const streams: ParticleStream[] = []
  for (let i = 0; i < count; i++) {
    const item = heads + size(heads + i * WORD)
    const path = bytesAt(item + size(item))
    const packed = bytesAt(item + size(item + WORD))
    if (packed.length % 4 !== 0) throw new MalformedParticles('a value is cut')
    streams.push({ path: decodeText(text, path), data: unpackValues(packed) })
  }
  return streams
}

function decodeText(decoder: TextDecoder, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new MalformedParticles('a path is not text')
  }
}

function unpackValues(packed: Uint8Array): Uint32Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const values = new Uint32Array(packed.length / 4)
  for (let i = 0; i < values.length; i++) values[i] = view.getUint32(i * 4)
  return values
}
