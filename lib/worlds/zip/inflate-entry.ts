import { crc32, createInflateRaw } from 'node:zlib'
import { quoteName, ZipProblem } from './problem.ts'
import type { ZipEntry } from './read-directory.ts'

const CHUNK_BYTES = 64 * 1024

/**
 * The content of an entry, piece by piece, so that nothing but the caller decides what is kept. Stops at the first
 * byte more than was declared, whatever the data would go on to inflate to.
 *
 * @throws ZipProblem when size, checksum or data are not what the ZIP says; thrown at the latest with the end.
 */
export async function* inflateEntry(zip: Uint8Array, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const data = zip.subarray(entry.offset, entry.offset + entry.compressedBytes)
  let bytes = 0
  let crc = 0
  for await (const chunk of entry.deflated ? inflate(data, entry) : [data]) {
    bytes += chunk.byteLength
    if (bytes > entry.bytes) throw new ZipProblem(`${quoteName(entry.name)} is larger than it says`)
    crc = crc32(chunk, crc)
    yield chunk
  }
  if (bytes !== entry.bytes) throw new ZipProblem(`${quoteName(entry.name)} is smaller than it says`)
  if (crc !== entry.crc) throw new ZipProblem(`${quoteName(entry.name)} is damaged: its checksum is wrong`)
}

async function* inflate(data: Uint8Array, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const stream = createInflateRaw({ chunkSize: CHUNK_BYTES })
  // Without this, a stream given up early would report its own end as an error nobody waits for.
  stream.on('error', () => {})
  stream.end(data)
  try {
    for await (const chunk of stream) yield chunk as Buffer
  } catch (cause) {
    if (cause instanceof ZipProblem) throw cause
    throw new ZipProblem(`${quoteName(entry.name)} is damaged: it cannot be inflated`, { cause })
  } finally {
    stream.destroy()
  }
  if (stream.bytesWritten !== data.byteLength) {
    throw new ZipProblem(`Behind the data of ${quoteName(entry.name)} stand more bytes`)
  }
}
