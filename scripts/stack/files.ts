import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type WriteStream,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Replaces a file in one step: a reader, or a crash, sees the old text or the new one. */
export function writeWhole(path: string, text: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}.new`
  try {
    writeFileSync(draft, text, { mode, flush: true })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

export function writeJson(path: string, value: unknown, mode?: number): void {
  writeWhole(path, `${JSON.stringify(value, null, 2)}\n`, mode)
}

/** The parsed file, or undefined when it is absent or not JSON. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

const MAX_BYTES = 10 * 1024 * 1024

/** Appends lines to `<name>.log`; the previous file is rotated once to `<name>.old.log`. */
export function openLog(folder: string, name: string): (line: string) => void {
  const path = join(folder, `${name}.log`)
  let bytes = 0
  let stream = renew()

  function renew(): WriteStream {
    if (existsSync(path)) renameSync(path, join(folder, `${name}.old.log`))
    const next = createWriteStream(path)
    // A full disk must not take the site down with it.
    next.on('error', () => {})
    bytes = 0
    return next
  }

  return (line) => {
    if (bytes > MAX_BYTES) {
      stream.end()
      stream = renew()
    }
    bytes += line.length + 1
    stream.write(`${line}\n`)
  }
}
