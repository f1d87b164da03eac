import { crc32 } from 'node:zlib'
import {
  type CentralRecord,
  type EndRecord,
  isDescriptor,
  type LocalRecord,
  quoteName,
  readCentralRecord,
  readEndRecord,
  readLocalRecord,
  ZipBytes,
  ZipProblem,
} from './records.ts'

/** An entry whose facts agree wherever the ZIP states them. What it inflates to is not known yet. */
export interface ZipEntry {
  /** As stored; a directory's ends with a slash. */
  readonly name: string
  readonly isDirectory: boolean
  /** Whether the data is deflated; else it is stored as it is. */
  readonly deflated: boolean
  /** Offset of the compressed data in the file. */
  readonly offset: number
  readonly compressedBytes: number
  /** Size of the file itself, as declared. */
  readonly bytes: number
  readonly crc: number
}

const STORED = 0
const DEFLATED = 8

const ENCRYPTED_FLAGS = 0x0001 | 0x0040 | 0x2000
const PATCH_FLAG = 0x0020
const DESCRIPTOR_FLAG = 0x0008
/** The other bits state the compression level. */
const MEANING_FLAGS = ENCRYPTED_FLAGS | PATCH_FLAG | DESCRIPTOR_FLAG

const ZIP64_FIELD = 0x0001
const UNICODE_PATH_FIELD = 0x7075
const UINT16_MAX = 0xffff
const UINT32_MAX = 0xffffffff

const FILE_TYPE = 0o170000
const REGULAR_FILE = 0o100000
const DIRECTORY = 0o040000
const VOLUME_LABEL = 0x08

/**
 * Reads the directory of a ZIP and holds it against the local headers, so that no two readers could see different
 * files: every byte belongs to exactly one entry or to the directory. Inflates nothing.
 *
 * @throws ZipProblem for the first thing that is not as an ordinary ZIP of ordinary files has it.
 */
export function readDirectory(bytes: Uint8Array, maxEntries: number): readonly ZipEntry[] {
  if (bytes.byteLength < 22) throw new ZipProblem('The file is not a ZIP, or it broke off')
  const zip = new ZipBytes(bytes)
  const end = readEndRecord(zip)
  const count = checkEnd(end, maxEntries)
  const entries: { entry: ZipEntry; record: CentralRecord }[] = []
  let at = end.directoryOffset
  for (let index = 0; index < count; index++) {
    const record = readCentralRecord(zip, at, end.offset)
    entries.push({ entry: toEntry(zip, record, end), record })
    at = record.end
  }
  if (at !== end.offset) throw new ZipProblem('The directory of the ZIP has another size than it says')
  checkLayout(zip, entries, end)
  return entries.map(({ entry }) => entry)
}

function checkEnd(end: EndRecord, maxEntries: number): number {
  const [onThisDisk, inAll] = end.entries
  if ([...end.entries, ...end.disks].includes(UINT16_MAX) || end.directoryOffset === UINT32_MAX) {
    throw new ZipProblem('The ZIP uses ZIP64, which is for archives far larger than a World: save it without')
  }
  if (end.disks.some((disk) => disk !== 0) || onThisDisk !== inAll) {
    throw new ZipProblem('The ZIP is one part of several')
  }
  if (inAll > maxEntries) throw new ZipProblem(`The ZIP has ${inAll} entries, more than ${maxEntries}`)
  if (end.directoryOffset + end.directoryBytes !== end.offset) {
    throw new ZipProblem('The directory of the ZIP is not where the ZIP says, or something stands before it')
  }
  return inAll
}

function toEntry(zip: ZipBytes, record: CentralRecord, end: EndRecord): ZipEntry {
  const name = decodeName(record)
  const label = quoteName(name)
  if ((record.flags & ENCRYPTED_FLAGS) !== 0) throw new ZipProblem(`${label} is encrypted`)
  if ((record.flags & PATCH_FLAG) !== 0 || (record.method !== STORED && record.method !== DEFLATED)) {
    throw new ZipProblem(`${label} is compressed in an unusual way: use deflate`)
  }
  const huge = [record.bytes, record.compressedBytes, record.localOffset].includes(UINT32_MAX)
  if (huge || record.extra.has(ZIP64_FIELD)) {
    throw new ZipProblem(
      `${label} uses ZIP64, which is for archives far larger than a World: save it without`,
    )
  }
  if (record.disk !== 0) throw new ZipProblem('The ZIP is one part of several')
  const isDirectory = checkKind(record, name)
  if (record.method === STORED && record.bytes !== record.compressedBytes) {
    throw new ZipProblem(`${label} is stored as it is, but states two sizes`)
  }
  const local = readLocalRecord(zip, record.localOffset, end.directoryOffset)
  if (local === undefined || !agrees(local, record)) {
    throw new ZipProblem(`${label} is described in two ways that disagree`)
  }
  if (local.end + record.compressedBytes > end.directoryOffset) {
    throw new ZipProblem(`${label} reaches beyond the data of the ZIP`)
  }
  return {
    name,
    isDirectory,
    deflated: record.method === DEFLATED,
    offset: local.end,
    compressedBytes: record.compressedBytes,
    bytes: record.bytes,
    crc: record.crc,
  }
}

function decodeName({ name, extra }: CentralRecord): string {
  let text: string
  try {
    // Whether flagged or not: some archivers write UTF-8 without setting the flag.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name)
  } catch {
    throw new ZipProblem(`The name ${quoteName(Buffer.from(name).toString('latin1'))} is not UTF-8`)
  }
  const unicode = extra.get(UNICODE_PATH_FIELD)
  if (unicode !== undefined) {
    const isOfThisName =
      unicode.byteLength >= 5 &&
      new DataView(unicode.buffer, unicode.byteOffset).getUint32(1, true) === crc32(name)
    if (isOfThisName && Buffer.compare(unicode.subarray(5), name) !== 0) {
      throw new ZipProblem(`${quoteName(text)} has a second, different name`)
    }
  }
  return text
}

/** Whether the entry is a directory; anything but those and regular files is refused. */
function checkKind({ attributes, bytes }: CentralRecord, name: string): boolean {
  const type = (attributes >>> 16) & FILE_TYPE
  const isDirectory = name.endsWith('/')
  if (type !== 0 && type !== (isDirectory ? DIRECTORY : REGULAR_FILE)) {
    throw new ZipProblem(
      type === DIRECTORY || type === REGULAR_FILE
        ? `${quoteName(name)} is called a file and a directory at once`
        : `${quoteName(name)} is a link or a device: only files and directories are accepted`,
    )
  }
  if ((attributes & VOLUME_LABEL) !== 0) throw new ZipProblem(`${quoteName(name)} is a volume label`)
  if (isDirectory && bytes !== 0) throw new ZipProblem(`The directory ${quoteName(name)} has content`)
  return isDirectory
}

function agrees(local: LocalRecord, central: CentralRecord): boolean {
  if (((local.flags ^ central.flags) & MEANING_FLAGS) !== 0 || local.method !== central.method) return false
  if (Buffer.compare(local.name, central.name) !== 0) return false
  const facts = [
    [local.crc, central.crc],
    [local.compressedBytes, central.compressedBytes],
    [local.bytes, central.bytes],
  ] as const
  // A writer that did not know them yet leaves zeros, and a descriptor behind the data.
  const later = (local.flags & DESCRIPTOR_FLAG) !== 0
  return facts.every(([stated, actual]) => stated === actual || (later && stated === 0))
}

/** Every byte before the directory belongs to exactly one entry. */
function checkLayout(
  zip: ZipBytes,
  entries: readonly { readonly entry: ZipEntry; readonly record: CentralRecord }[],
  end: EndRecord,
): void {
  const inOrder = entries.toSorted((a, b) => a.record.localOffset - b.record.localOffset)
  if ((inOrder[0]?.record.localOffset ?? end.directoryOffset) !== 0) {
    throw new ZipProblem('Something stands before the first file of the ZIP')
  }
  for (const [index, { entry, record }] of inOrder.entries()) {
    const dataEnd = entry.offset + entry.compressedBytes
    const next = inOrder[index + 1]?.record.localOffset ?? end.directoryOffset
    if (next < dataEnd) throw new ZipProblem(`${quoteName(entry.name)} overlaps another file`)
    const hasDescriptor = (record.flags & DESCRIPTOR_FLAG) !== 0
    const closed = hasDescriptor ? isDescriptor(zip, dataEnd, next, record) : next === dataEnd
    if (!closed) throw new ZipProblem(`Behind ${quoteName(entry.name)} stand bytes that belong to no file`)
  }
}
