import JSZip from 'jszip'
import { folderFiles } from './folder-files.ts'

/** The bundle of a World: its folder as a ZIP, with the manifest at the root. */
export async function packWorld(folder: string): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new JSZip()
  for (const [path, bytes] of folderFiles(folder)) zip.file(path, bytes)
  const packed = await zip.generateAsync({ type: 'arraybuffer', compression: 'DEFLATE' })
  return new Uint8Array(packed)
}
