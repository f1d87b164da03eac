import { MAX_ZIP_MIB } from '#lib/protocol/world-manifest.ts'
import { errorLines } from '#lib/ui/world/error-messages.ts'
import { type Chosen, chooseFiles, chooseZip, type FoundFile, isPartName } from './choose.ts'

/** More than a bundle may have. */
const MOST_FILES = 4000

/** The choice is no bundle; the message states what to do. */
export class NotABundle extends Error {
  override readonly name = 'NotABundle'
}

/** Bundle from the files of a file field. @throws NotABundle */
export async function fromFiles(files: readonly File[]): Promise<Chosen> {
  const [first] = files
  if (first === undefined) throw new NotABundle('The folder is empty.')
  if (files.length === 1 && isZip(first)) return chooseZip(first)
  const found = files.map((file) => ({ path: file.webkitRelativePath || file.name, file }))
  return chooseFound(found)
}

/**
 * A dropped ZIP, folder, or files. Must be called in the event handler: browsers clear the data afterwards.
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
  // One file represents an excluded folder, to name it.
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

const MAX_ZIP_BYTES = MAX_ZIP_MIB * 1024 * 1024

/**
 * The ZIP of the chosen files.
 *
 * @param manifest Replaces the bundle's own.
 * @param onShare Called with the progress, 0 to 1.
 * @throws NotABundle when it is larger than a bundle may be; DOMException for files that cannot be read.
 */
export async function packBundle(
  chosen: Chosen,
  manifest: string | undefined,
  onShare: (share: number) => void,
): Promise<Blob> {
  const bundle = await chosen.pack(manifest, onShare)
  if (bundle.size <= MAX_ZIP_BYTES) return bundle
  const mib = (bundle.size / 1024 / 1024).toFixed(1)
  throw new NotABundle(`The ZIP has ${mib} MiB: it may have ${MAX_ZIP_MIB} MiB.`)
}

/** Messages for rejected choices. */
export function choiceErrorLines(error: unknown): readonly string[] {
  if (error instanceof NotABundle) return [error.message]
  return error instanceof DOMException ? [UNREADABLE] : errorLines(error)
}

const UNREADABLE = 'The browser could not read the files: they may have changed since. Choose them again.'
