import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** Beside the files of a World but none of them: what editors and systems leave, and what only its author needs. */
const LEFT_OUT = /(^|\/)(\.[^/]*|node_modules|types|jsconfig\.json|Thumbs\.db)($|\/)/

/** Files of a World in a folder, by their path in the bundle. @throws what the file system throws. */
export function folderFiles(folder: string): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = relative(folder, file).split(sep).join('/')
    if (!LEFT_OUT.test(path)) files.set(path, readFileSync(file))
  }
  return new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
