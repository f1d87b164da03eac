import type JSZip from 'jszip'
import { type Chosen, type ChosenFile, MANIFEST_PATH } from './chosen.ts'
import { type FoundFile, rooted } from './rooted.ts'

/** A ZIP as it is: unless its manifest is replaced, its very bytes are sent. */
export async function chooseZip(file: File): Promise<Chosen> {
  const read = await loadZip(file).catch(() => undefined)
  const files: ChosenFile[] = []
  read?.forEach((path, entry) => {
    if (!entry.dir) files.push({ path, size: sizeOf(entry) })
  })
  return {
    name: file.name,
    kind: 'zip',
    files: sorted(files),
    leftOut: [],
    manifest: await read?.file(MANIFEST_PATH)?.async('string'),
    async pack(manifest, onShare) {
      if (manifest === undefined || read === undefined) return file
      read.file(MANIFEST_PATH, manifest)
      return generate(read, onShare)
    },
  }
}

/** Files of a folder, or a few by themselves. */
export async function chooseFiles(name: string, found: readonly FoundFile[]): Promise<Chosen> {
  const { files, leftOut } = rooted(found)
  const own = files.find(({ path }) => path === MANIFEST_PATH)
  return {
    name,
    kind: 'folder',
    files: sorted(files.map(({ path, file }) => ({ path, size: file.size }))),
    leftOut,
    manifest: await own?.file.text(),
    async pack(manifest, onShare) {
      const zip = new (await import('jszip')).default()
      for (const { path, file } of files) zip.file(path, file)
      if (manifest !== undefined) zip.file(MANIFEST_PATH, manifest)
      return generate(zip, onShare)
    },
  }
}

async function loadZip(file: File): Promise<JSZip> {
  const { default: Zip } = await import('jszip')
  return Zip.loadAsync(file)
}

function generate(zip: JSZip, onShare: (share: number) => void): Promise<Blob> {
  return zip.generateAsync({ type: 'blob', compression: 'DEFLATE' }, ({ percent }) => onShare(percent / 100))
}

/** What a ZIP says of a file that nobody has inflated yet; the library has no public word for it. */
function sizeOf(entry: JSZip.JSZipObject): number {
  const { _data: data } = entry as { _data?: { uncompressedSize?: unknown } }
  return typeof data?.uncompressedSize === 'number' ? data.uncompressedSize : 0
}

function sorted(files: readonly ChosenFile[]): readonly ChosenFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
