import { chooseFiles, chooseZip } from './choose.ts'
import type { Chosen } from './chosen.ts'
import { type FoundFile, isPartName } from './rooted.ts'

/** More than any bundle may have; a folder with more is not one. */
const MOST_FILES = 4000

/** Nothing that could be a bundle was chosen; the message says what to do. */
export class NotABundle extends Error {
  override readonly name = 'NotABundle'
}

/** What was chosen with a file field. @throws NotABundle */
export async function fromFiles(files: readonly File[]): Promise<Chosen> {
  const [first] = files
  if (first === undefined) throw new NotABundle('The folder is empty.')
  if (files.length === 1 && isZip(first)) return chooseZip(first)
  const found = files.map((file) => ({ path: file.webkitRelativePath || file.name, file }))
  return chooseFound(found)
}

/**
 * What was dropped: a ZIP, a folder, or the files of one. To be called in the event itself, because browsers take the
 * files away afterwards.
 *
 * @throws NotABundle
 */
export async function fromDrop(data: DataTransfer): Promise<Chosen> {
  const dropped = [...data.files]
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const [only] = entries
  if (entries.length === 1 && only?.isFile && dropped[0] && isZip(dropped[0])) return chooseZip(dropped[0])
  if (entries.length === 0) return fromFiles(dropped)
  const found: FoundFile[] = []
  for (const entry of entries) await walk(entry, found)
  return chooseFound(found)
}

function chooseFound(found: readonly FoundFile[]): Promise<Chosen> {
  const [first] = found
  if (first === undefined) throw new NotABundle('The folder is empty.')
  if (found.length > MOST_FILES) {
    throw new NotABundle(`The folder has more than ${MOST_FILES} files: choose the one with the World alone.`)
  }
  const top = first.path.split('/')[0] ?? ''
  return chooseFiles(first.path.includes('/') ? top : `${found.length} files`, found)
}

async function walk(entry: FileSystemEntry, found: FoundFile[]): Promise<void> {
  if (found.length > MOST_FILES) return
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    )
    found.push({ path: entry.fullPath.replace(/^\//, ''), file })
    return
  }
  // One file stands for a folder that stays out, so that it is named.
  const most = isPartName(entry.name) ? Number.POSITIVE_INFINITY : 1
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  let read = 0
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return
    for (const one of some) {
      if (read >= most) return
      read += 1
      await walk(one, found)
    }
  }
}

function isZip(file: File): boolean {
  return /\.zip$/i.test(file.name) || file.type === 'application/zip'
}
