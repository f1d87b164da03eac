import { crc32, deflateRawSync } from 'node:zlib'

/**
 * One entry as it is to be written. Omitted fields follow from `content`, so that an ordinary entry needs a name and a
 * content, and a hostile one only its false fields.
 */
export interface ZipPart {
  readonly name: string | Uint8Array
  readonly content?: string | Uint8Array
  readonly stored?: boolean
  /** The compressed data itself, in place of what `content` deflates to. */
  readonly data?: Uint8Array
  /** The value of both headers. */
  readonly flags?: number
  readonly method?: number
  readonly crc?: number
  readonly compressedBytes?: number
  readonly bytes?: number
  /** Unix mode, file type included; 0 for none. */
  readonly mode?: number
  readonly attributes?: number
  readonly extra?: Uint8Array
  readonly comment?: string
  readonly disk?: number
  /** The value of the local header only. */
  readonly local?: Partial<LocalFacts>
  /** The offset in the directory; else the actual one. */
  readonly localOffset?: number
  /** Leaves the data of the entry out of the file: another entry's is meant. */
  readonly absent?: boolean
  /** Bytes behind the data; `descriptor` for a right one. */
  readonly trailer?: Uint8Array | 'descriptor' | 'unsigned descriptor'
}

interface LocalFacts {
  readonly name: string | Uint8Array
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly compressedBytes: number
  readonly bytes: number
}

export interface ZipOptions {
  /** Before the first entry; offsets count from `offsetsFrom`. */
  readonly prefix?: Uint8Array
  readonly offsetsFrom?: 'file' | 'first entry'
  /** Between the last entry and the directory. */
  readonly beforeDirectory?: Uint8Array
  /** Between the directory and the end record. */
  readonly beforeEnd?: Uint8Array
  /** After everything. */
  readonly suffix?: Uint8Array
  readonly comment?: Uint8Array
  readonly end?: Partial<
    Record<'disk' | 'directoryDisk' | 'entriesHere' | 'entries' | 'bytes' | 'offset', number>
  >
}

export type Zip = Uint8Array<ArrayBuffer>

/** Writes a ZIP byte by byte. */
export function makeZip(parts: readonly ZipPart[], options: ZipOptions = {}): Zip {
  const prefix = options.prefix ?? new Uint8Array()
  const chunks: Uint8Array[] = [prefix]
  const directory: Uint8Array[] = []
  let at = prefix.byteLength
  const shift = options.offsetsFrom === 'first entry' ? prefix.byteLength : 0
  for (const part of parts) {
    const facts = factsOf(part)
    const local = part.absent ? new Uint8Array() : localEntry(part, facts)
    directory.push(centralRecord(part, facts, (part.localOffset ?? at) - shift))
    chunks.push(local)
    at += local.byteLength
  }
  const gap = options.beforeDirectory ?? new Uint8Array()
  const central = Buffer.concat(directory)
  const offset = at + gap.byteLength - shift
  const comment = options.comment ?? new Uint8Array()
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(options.end?.disk ?? 0, 4)
  end.writeUInt16LE(options.end?.directoryDisk ?? 0, 6)
  end.writeUInt16LE(options.end?.entriesHere ?? options.end?.entries ?? Math.min(parts.length, 0xffff), 8)
  end.writeUInt16LE(options.end?.entries ?? Math.min(parts.length, 0xffff), 10)
  end.writeUInt32LE(options.end?.bytes ?? central.byteLength, 12)
  end.writeUInt32LE(options.end?.offset ?? offset, 16)
  end.writeUInt16LE(comment.byteLength, 20)
  const before = options.beforeEnd ?? new Uint8Array()
  return new Uint8Array(
    Buffer.concat([...chunks, gap, central, before, end, comment, options.suffix ?? new Uint8Array()]),
  )
}

interface Facts extends LocalFacts {
  readonly data: Uint8Array
  readonly name: Uint8Array
}

const deflated = new Map<Uint8Array, Uint8Array>()

function factsOf(part: ZipPart): Facts {
  const content = toBytes(part.content ?? '')
  const data = part.data ?? (part.stored ? content : deflate(content))
  return {
    name: toBytes(part.name),
    data,
    flags: part.flags ?? (typeof part.trailer === 'string' ? 0x0008 : 0),
    method: part.method ?? (part.stored ? 0 : 8),
    crc: part.crc ?? crc32(content),
    compressedBytes: part.compressedBytes ?? data.byteLength,
    bytes: part.bytes ?? content.byteLength,
  }
}

/** Large contents are used by several archives. */
function deflate(content: Uint8Array): Uint8Array {
  const known = deflated.get(content)
  if (known !== undefined) return known
  const data = deflateRawSync(content, { level: 9 })
  if (content.byteLength > 100_000) deflated.set(content, data)
  return data
}

function localEntry(part: ZipPart, facts: Facts): Uint8Array {
  const later = typeof part.trailer === 'string'
  const said = { ...facts, ...(later && { crc: 0, compressedBytes: 0, bytes: 0 }), ...part.local }
  const name = toBytes(said.name)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(said.flags, 6)
  header.writeUInt16LE(said.method, 8)
  header.writeUInt32LE(said.crc, 14)
  header.writeUInt32LE(said.compressedBytes, 18)
  header.writeUInt32LE(said.bytes, 22)
  header.writeUInt16LE(name.byteLength, 26)
  return Buffer.concat([header, name, facts.data, trailerOf(part, facts)])
}

function trailerOf({ trailer }: ZipPart, facts: Facts): Uint8Array {
  if (typeof trailer !== 'string') return trailer ?? new Uint8Array()
  const descriptor = Buffer.alloc(16)
  descriptor.writeUInt32LE(0x08074b50, 0)
  descriptor.writeUInt32LE(facts.crc, 4)
  descriptor.writeUInt32LE(facts.compressedBytes, 8)
  descriptor.writeUInt32LE(facts.bytes, 12)
  return trailer === 'descriptor' ? descriptor : descriptor.subarray(4)
}

function centralRecord(part: ZipPart, facts: Facts, offset: number): Uint8Array {
  const extra = part.extra ?? new Uint8Array()
  const comment = toBytes(part.comment ?? '')
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE((3 << 8) | 20, 4)
  header.writeUInt16LE(20, 6)
  header.writeUInt16LE(facts.flags, 8)
  header.writeUInt16LE(facts.method, 10)
  header.writeUInt32LE(facts.crc, 16)
  header.writeUInt32LE(facts.compressedBytes, 20)
  header.writeUInt32LE(facts.bytes, 24)
  header.writeUInt16LE(facts.name.byteLength, 28)
  header.writeUInt16LE(extra.byteLength, 30)
  header.writeUInt16LE(comment.byteLength, 32)
  header.writeUInt16LE(part.disk ?? 0, 34)
  header.writeUInt32LE(part.attributes ?? ((part.mode ?? 0o100644) << 16) >>> 0, 38)
  header.writeUInt32LE(offset, 42)
  return Buffer.concat([header, facts.name, extra, comment])
}

/** An extra field of a directory record. */
export function extraField(id: number, data: Uint8Array): Uint8Array {
  const header = Buffer.alloc(4)
  header.writeUInt16LE(id, 0)
  header.writeUInt16LE(data.byteLength, 2)
  return Buffer.concat([header, data])
}

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}
