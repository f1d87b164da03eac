/*
 * The records of a ZIP file as stored (APPNOTE.TXT 4.3), not validated.
 */

const LOCAL_SIGNATURE = 0x04034b50
const CENTRAL_SIGNATURE = 0x02014b50
const END_SIGNATURE = 0x06054b50
const DESCRIPTOR_SIGNATURE = 0x08074b50

const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const END_BYTES = 22
const MAX_COMMENT_BYTES = 0xffff

/** A ZIP in memory, with numbers read as ZIP spells them. */
export class ZipBytes {
  readonly bytes: Uint8Array
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get length(): number {
    return this.bytes.byteLength
  }

  uint16(at: number): number {
    return this.#view.getUint16(at, true)
  }

  uint32(at: number): number {
    return this.#view.getUint32(at, true)
  }
}

export interface EndRecord {
  readonly offset: number
  readonly disks: readonly [number, number]
  readonly entries: readonly [onThisDisk: number, inAll: number]
  readonly directoryBytes: number
  readonly directoryOffset: number
}

/** The end of central directory record: the last one, whose comment must end where the file ends. */
export function readEndRecord(zip: ZipBytes): EndRecord {
  const lowest = Math.max(0, zip.length - END_BYTES - MAX_COMMENT_BYTES)
  for (let at = zip.length - END_BYTES; at >= lowest; at--) {
    if (zip.uint32(at) !== END_SIGNATURE) continue
    if (at + END_BYTES + zip.uint16(at + 20) !== zip.length) {
      throw new ZipProblem('The ZIP does not end where its directory says')
    }
    return {
      offset: at,
      disks: [zip.uint16(at + 4), zip.uint16(at + 6)],
      entries: [zip.uint16(at + 8), zip.uint16(at + 10)],
      directoryBytes: zip.uint32(at + 12),
      directoryOffset: zip.uint32(at + 16),
    }
  }
  throw new ZipProblem('The file is not a ZIP, or it broke off')
}

export interface CentralRecord {
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly compressedBytes: number
  readonly bytes: number
  readonly name: Uint8Array
  readonly extra: ReadonlyMap<number, Uint8Array>
  readonly disk: number
  readonly attributes: number
  readonly localOffset: number
  /** Where the next record begins. */
  readonly end: number
}

/** @param limit Where the directory ends. */
export function readCentralRecord(zip: ZipBytes, at: number, limit: number): CentralRecord {
  if (at + CENTRAL_BYTES > limit || zip.uint32(at) !== CENTRAL_SIGNATURE) {
    throw new ZipProblem('The directory of the ZIP is damaged')
  }
  const nameEnd = at + CENTRAL_BYTES + zip.uint16(at + 28)
  const extraEnd = nameEnd + zip.uint16(at + 30)
  const end = extraEnd + zip.uint16(at + 32)
  if (end > limit) throw new ZipProblem('The directory of the ZIP is damaged')
  return {
    flags: zip.uint16(at + 8),
    method: zip.uint16(at + 10),
    crc: zip.uint32(at + 16),
    compressedBytes: zip.uint32(at + 20),
    bytes: zip.uint32(at + 24),
    name: zip.bytes.subarray(at + CENTRAL_BYTES, nameEnd),
    extra: readExtra(zip, nameEnd, extraEnd),
    disk: zip.uint16(at + 34),
    attributes: zip.uint32(at + 38),
    localOffset: zip.uint32(at + 42),
    end,
  }
}

function readExtra(zip: ZipBytes, from: number, end: number): ReadonlyMap<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>()
  // Padding of fewer than four bytes is common.
  for (let at = from; at + 4 <= end; ) {
    const next = at + 4 + zip.uint16(at + 2)
    if (next > end) throw new ZipProblem('An extra field in the directory of the ZIP is damaged')
    fields.set(zip.uint16(at), zip.bytes.subarray(at + 4, next))
    at = next
  }
  return fields
}

export interface LocalRecord {
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly compressedBytes: number
  readonly bytes: number
  readonly name: Uint8Array
  /** Where the data begins. */
  readonly end: number
}

/** @returns undefined when there is none at `at`. */
export function readLocalRecord(zip: ZipBytes, at: number, limit: number): LocalRecord | undefined {
  if (at + LOCAL_BYTES > limit || zip.uint32(at) !== LOCAL_SIGNATURE) return undefined
  const nameEnd = at + LOCAL_BYTES + zip.uint16(at + 26)
  const end = nameEnd + zip.uint16(at + 28)
  if (end > limit) return undefined
  return {
    flags: zip.uint16(at + 6),
    method: zip.uint16(at + 8),
    crc: zip.uint32(at + 14),
    compressedBytes: zip.uint32(at + 18),
    bytes: zip.uint32(at + 22),
    name: zip.bytes.subarray(at + LOCAL_BYTES, nameEnd),
    end,
  }
}

/** Whether what stands from `at` up to `end` is a data descriptor of these facts, with or without its signature. */
export function isDescriptor(
  zip: ZipBytes,
  at: number,
  end: number,
  facts: { crc: number; compressedBytes: number; bytes: number },
): boolean {
  const signed = end - at === 16
  if (!signed && end - at !== 12) return false
  if (signed && zip.uint32(at) !== DESCRIPTOR_SIGNATURE) return false
  const from = signed ? at + 4 : at
  return (
    zip.uint32(from) === facts.crc &&
    zip.uint32(from + 4) === facts.compressedBytes &&
    zip.uint32(from + 8) === facts.bytes
  )
}

/** Why a ZIP is refused, as a sentence for its author. */
export class ZipProblem extends Error {
  override readonly name = 'ZipProblem'
}

/** A name out of a ZIP, as it may appear in a message: quoted, escaped, bounded. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 120)}…` : name)
}
