import { MANIFEST_PATH, readManifest, type WorldManifest } from '../../lib/worlds/bundle/manifest.ts'
import { folderFiles } from './folder-files.ts'

/** The manifest in a folder. @throws Error with everything that is wrong with it. */
export function folderManifest(folder: string): WorldManifest {
  const bytes = folderFiles(folder).get(MANIFEST_PATH)
  if (bytes === undefined) throw new Error(`There is no ${MANIFEST_PATH} in ${folder}`)
  const read = readManifest(bytes)
  if ('problems' in read) throw new Error(`${folder}: ${read.problems.join('; ')}`)
  return read.manifest
}
