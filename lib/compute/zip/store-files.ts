import { crc32 } from 'node:zlib'

/** A file of a ZIP, read in parts of its bytes. */
export interface StoredFile {
  /** Path inside the ZIP. */
  readonly name: string
  /** Bytes, below 4 GiB. */
  readonly size: number
  /** Its content from the start. */
  readonly chunks: () => AsyncIterable<Uint8Array>
}

const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const END_BYTES = 22
/** Names are UTF-8. */
const FLAGS = 0x0800
/** 1980-01-01, the first day that a ZIP can name. */
const DATE = 0x0021
const VERSION = 20

/** Bytes of the ZIP that `storeFiles` writes. */
export function storedSize(files: readonly Pick<StoredFile, 'name' | 'size'>[]): number {
  const names = files.reduce((sum, { name }) => sum + Buffer.byteLength(name), 0)
  const content = files.reduce((sum, { size }) => sum + size, 0)
  return files.length * (LOCAL_BYTES + CENTRAL_BYTES) + 2 * names + content + END_BYTES
}

/**
 * Writes a ZIP of files as they are, without compression: the same files give the same bytes on every machine. Reads
 * each file twice, for its checksum stands before it.
 */
export async function* storeFiles(files: readonly StoredFile[]): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = []
  let offset = 0
  for (const file of files) {
    const name = Buffer.from(file.name)
    let crc = 0
    for await (const chunk of file.chunks()) crc = crc32(chunk, crc)
    const facts = factsOf(crc, file.size, name.length)
    const local = Buffer.alloc(LOCAL_BYTES)
    local.writeUInt32LE(0x04034b50, 0)
    facts.copy(local, 4)
    yield Buffer.concat([local, name])
    yield* file.chunks()
    const central = Buffer.alloc(CENTRAL_BYTES)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(VERSION, 4)
    facts.copy(central, 6)
    central.writeUInt32LE(offset, 42)
    directory.push(central, name)
    offset += LOCAL_BYTES + name.length + file.size
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(END_BYTES)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  yield Buffer.concat([entries, end])
}

/** The 26 bytes that stand alike before a file and in the directory. */
function factsOf(crc: number, size: number, nameBytes: number): Buffer {
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(VERSION, 0)
  facts.writeUInt16LE(FLAGS, 2)
  facts.writeUInt16LE(DATE, 8)
  facts.writeUInt32LE(crc, 10)
  facts.writeUInt32LE(size, 14)
  facts.writeUInt32LE(size, 18)
  facts.writeUInt16LE(nameBytes, 22)
  return facts
}
