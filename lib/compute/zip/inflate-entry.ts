import { crc32, createInflateRaw } from 'node:zlib'
import type { ZipEntry } from './read-directory.ts'
import { quoteName, ZipProblem } from './records.ts'

const CHUNK_BYTES = 64 * 1024

/**
 * Inflates an entry chunk by chunk. Stops at the first byte beyond the declared size, whatever the data would inflate to.
 *
 * @throws ZipProblem when size, checksum or data differ from the records of the ZIP; thrown at the end at the latest.
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
  // A stream that is abandoned early reports its end as an error without a handler.
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
