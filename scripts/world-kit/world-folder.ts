import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import JSZip from 'jszip'
import { readManifest, type WorldManifest } from '#lib/compute/bundle/manifest.ts'
import { bundlePath, isPartName, MANIFEST_PATH } from '#lib/protocol/bundle-paths.ts'

/** Folder of sources that several Worlds use, beside theirs and inside their bundles. */
const SHARED = 'shared'

/**
 * Files of a World in a folder, by their path in the bundle, with those of the shared folder beside it that they name as
 * `shared/…`.
 *
 * @throws what the file system throws.
 */
export function folderFiles(folder: string): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = bundlePath(relative(folder, file).split(sep).join('/'))
    if (path.split('/').every(isPartName)) files.set(path, readFileSync(file))
  }
  addShared(files, join(dirname(resolve(folder)), SHARED))
  return new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Adds the shared files that are named by what is there, and by each other. */
function addShared(files: Map<string, Uint8Array>, shared: string): void {
  const waiting = [...files]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, bytes] = next
    if (!/\.(?:js|css|html)$/.test(path)) continue
    const names = path.startsWith(`${SHARED}/`)
      ? /\.\/([\w-]+\.(?:js|css))\b/g
      : /\bshared\/([\w-]+\.(?:js|css))\b/g
    for (const [, name = ''] of new TextDecoder().decode(bytes).matchAll(names)) {
      const file = join(shared, name)
      const place = `${SHARED}/${name}`
      if (files.has(place) || !existsSync(file)) continue
      files.set(place, readFileSync(file))
      waiting.push([place, readFileSync(file)])
    }
  }
}

/** The manifest in a folder. @throws Error with everything that is wrong with it. */
export function folderManifest(folder: string): WorldManifest {
  const bytes = folderFiles(folder).get(MANIFEST_PATH)
  if (bytes === undefined) throw new Error(`There is no ${MANIFEST_PATH} in ${folder}`)
  const read = readManifest(bytes)
  if ('problems' in read) throw new Error(`${folder}: ${read.problems.join('; ')}`)
  return read.manifest
}

const EPOCH = new Date('2000-01-01T00:00:00Z')

/** The bundle of a World: its folder as a ZIP, with the manifest at the root. */
export async function packWorld(folder: string): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new JSZip()
  // Equal files make equal bytes, whenever they are packed.
  for (const [path, bytes] of folderFiles(folder)) zip.file(path, bytes, { date: EPOCH })
  const packed = await zip.generateAsync({ type: 'arraybuffer', compression: 'DEFLATE' })
  return new Uint8Array(packed)
}
