import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import JSZip from 'jszip'
import { MANIFEST_PATH, readManifest, type WorldManifest } from '#lib/compute/bundle/manifest.ts'
import { bundlePath } from '#lib/protocol/bundle-paths.ts'
import { isPartName } from '#lib/ui/world-upload/bundle/choose.ts'

/** Files of a World in a folder, by their path in the bundle. @throws what the file system throws. */
export function folderFiles(folder: string): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = bundlePath(relative(folder, file).split(sep).join('/'))
    if (path.split('/').every(isPartName)) files.set(path, readFileSync(file))
  }
  return new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The manifest in a folder. @throws Error with everything that is wrong with it. */
export function folderManifest(folder: string): WorldManifest {
  const bytes = folderFiles(folder).get(MANIFEST_PATH)
  if (bytes === undefined) throw new Error(`There is no ${MANIFEST_PATH} in ${folder}`)
  const read = readManifest(bytes)
  if ('problems' in read) throw new Error(`${folder}: ${read.problems.join('; ')}`)
  return read.manifest
}

/** The bundle of a World: its folder as a ZIP, with the manifest at the root. */
export async function packWorld(folder: string): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new JSZip()
  for (const [path, bytes] of folderFiles(folder)) zip.file(path, bytes)
  const packed = await zip.generateAsync({ type: 'arraybuffer', compression: 'DEFLATE' })
  return new Uint8Array(packed)
}
