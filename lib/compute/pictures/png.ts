import { promisify } from 'node:util'
import { crc32, deflate, inflate } from 'node:zlib'
import { Failure } from '#lib/protocol/failure.ts'

const packed = promisify(deflate)
const unpacked = promisify(inflate)

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
/** Length, type and checksum of a chunk. */
const AROUND_DATA = 12
const HEADER_BYTES = 13
/** Bytes of a pixel with 8 bits a channel, by colour type. */
const PIXEL_BYTES: Readonly<Record<number, number>> = { 2: 3, 6: 4 }
/** None, to the left, above, average, Paeth. */
const FILTERS = 5

interface PngImage {
  readonly width: number
  readonly height: number
  /** 2 is RGB, 6 is RGB with alpha; 8 bits a channel. */
  readonly colorType: 2 | 6
  /** Each begins with its filter. */
  readonly rows: Uint8Array
}

export async function writePng({ width, height, colorType, rows }: PngImage): Promise<Uint8Array> {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, colorType, 0, 0, 0], 8)
  const parts = [
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', await packed(rows, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return new Uint8Array(Buffer.concat(parts))
}

/**
 * The pixels of a stranger's PNG in a file of our own: no texts, no profiles, nothing behind its end, no trick of its
 * compressor. Takes what browsers write for a canvas: 8 bits a channel, RGB with or without alpha, not interlaced.
 *
 * @param maxSide Of width and height, in pixels.
 * @throws Failure('invalid_request') for anything else.
 */
export async function rewritePng(bytes: Uint8Array, maxSide: number): Promise<Uint8Array> {
  const { data, ...image } = readChunks(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    maxSide,
  )
  const stride = 1 + image.width * (PIXEL_BYTES[image.colorType] as number)
  const size = stride * image.height
  const rows = await unpacked(data, { maxOutputLength: size }).catch((cause: unknown) => {
    throw refusal('its pixels cannot be read', cause)
  })
  if (rows.byteLength !== size) throw refusal('it has fewer pixels than it says')
  for (let at = 0; at < size; at += stride) {
    if ((rows[at] as number) >= FILTERS) throw refusal('its pixels cannot be read')
  }
  return writePng({ ...image, rows })
}

function readChunks(file: Buffer, maxSide: number): Omit<PngImage, 'rows'> & { readonly data: Buffer } {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw refusal('it is no PNG')
  let header: Omit<PngImage, 'rows'> | undefined
  const data: Buffer[] = []
  for (let at = SIGNATURE.length; ; ) {
    if (at + AROUND_DATA > file.length) throw refusal('it breaks off')
    const end = at + AROUND_DATA + file.readUInt32BE(at)
    if (end > file.length) throw refusal('it breaks off')
    const type = file.toString('latin1', at + 4, at + 8)
    if (crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) throw refusal('it is damaged')
    const content = file.subarray(at + 8, end - 4)
    if ((type === 'IHDR') !== (header === undefined)) throw refusal('its parts are out of order')
    if (type === 'IHDR') header = readHeader(content, maxSide)
    if (type === 'IDAT') data.push(content)
    if (type === 'IEND') break
    at = end
  }
  return { ...(header as Omit<PngImage, 'rows'>), data: Buffer.concat(data) }
}

function readHeader(content: Buffer, maxSide: number): Omit<PngImage, 'rows'> {
  if (content.length !== HEADER_BYTES) throw refusal('it is damaged')
  const [width, height] = [content.readUInt32BE(0), content.readUInt32BE(4)]
  const [depth, colorType, compression, filter, interlace] = content.subarray(8)
  if (depth !== 8 || (colorType !== 2 && colorType !== 6) || compression || filter || interlace) {
    throw refusal('it is not 8 bits a channel, RGB with or without alpha, not interlaced')
  }
  if (![width, height].every((side) => side > 0 && side <= maxSide)) {
    throw refusal(`a side has 1 to ${maxSide} pixels, and it has ${width} x ${height}`)
  }
  return { width, height, colorType }
}

function refusal(reason: string, cause?: unknown): Failure {
  return new Failure('invalid_request', `This picture is not accepted: ${reason}`, {}, { cause })
}

function chunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(AROUND_DATA + data.length)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(type, 4, 'latin1')
  bytes.set(data, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
  return bytes
}
