import { createWriteStream, existsSync, renameSync, type WriteStream } from 'node:fs'
import { join } from 'node:path'

const MAX_BYTES = 10 * 1024 * 1024

/** Appends lines to `<name>.log`; the file before is kept once as `<name>.old.log`. */
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
