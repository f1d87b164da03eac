import type JSZip from 'jszip'
import { BUNDLE_LIMITS } from '#lib/compute/bundle/limits.ts'
import { bundlePath, isPartName, MANIFEST_PATH } from '#lib/protocol/bundle-paths.ts'
import { MAX_ZIP_MIB } from '#lib/protocol/world-manifest.ts'
import { importAgain } from '#lib/ui/kit/missing-chunk.ts'
import { errorLines } from '#lib/ui/world/error-messages.ts'
import { firstManifest } from './manifest.ts'

/** A file of a World: a string where it is text that can be edited. */
export type Content = string | Blob

/** The files of a World in this browser. */
export interface WorldFiles {
  /** Name of the ZIP, the folder or the World. */
  readonly name: string
  /** By paths from the root of the bundle. */
  readonly files: ReadonlyMap<string, Content>
  /** Paths of the choice that are no part of a bundle; folders end with a slash. */
  readonly leftOut: readonly string[]
  /** A ZIP that cannot be read here: it is sent as it is, and the site says why. */
  readonly unread?: Blob
}

export interface FoundFile {
  /** As it was found, the name of the chosen folder first. */
  readonly path: string
  readonly file: Blob
}

/** The choice is no bundle; the message states what to do. */
export class NotABundle extends Error {
  override readonly name = 'NotABundle'
}

/** Reads what was chosen with a file field. @throws NotABundle */
export async function fromChoice(files: readonly File[]): Promise<WorldFiles> {
  const [first] = files
  if (first && files.length === 1 && isZip(first)) return fromZip(first)
  return fromFound(files.map((file) => ({ path: file.webkitRelativePath || file.name, file })))
}

/**
 * Reads a dropped ZIP, folder, or files. Must be called in the event handler: browsers clear the data afterwards.
 *
 * @throws NotABundle
 */
export async function fromDrop(data: DataTransfer): Promise<WorldFiles> {
  const dropped = [...data.files]
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0 || (entries.length === 1 && entries[0]?.isFile)) return fromChoice(dropped)
  const entryFiles: FoundFile[] = []
  for (const entry of entries) await walk(entry, entryFiles)
  return fromFound(entryFiles)
}

async function walk(entry: FileSystemEntry, entryFiles: FoundFile[]): Promise<void> {
  if (entryFiles.length > BUNDLE_LIMITS.zipEntries) return
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    )
    entryFiles.push({ path: entry.fullPath.replace(/^\//, ''), file })
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
      await walk(one, entryFiles)
    }
  }
}

function isZip(file: File): boolean {
  return /\.zip$/i.test(file.name) || file.type === 'application/zip'
}

/** The files of a ZIP. */
export async function fromZip(file: File): Promise<WorldFiles> {
  const read = await loadZip(file).catch(() => [])
  const bytes = read.reduce((sum, entry) => sum + sizeOf(entry), 0)
  if (read.length === 0 || read.length > BUNDLE_LIMITS.zipEntries || bytes > BUNDLE_LIMITS.extracted) {
    return { name: file.name, files: new Map(), leftOut: [], unread: file }
  }
  const entryFiles: FoundFile[] = []
  for (const entry of read) entryFiles.push({ path: entry.name, file: await entry.async('blob') })
  return filesOf(file.name, entryFiles)
}

async function loadZip(file: File): Promise<readonly JSZip.JSZipObject[]> {
  const { default: Zip } = await importAgain(() => import('jszip'))
  return Object.values((await Zip.loadAsync(file)).files).filter(({ dir }) => !dir)
}

/** The uncompressed size from the ZIP's directory, which the library does not expose. */
function sizeOf(entry: JSZip.JSZipObject): number {
  const { _data: data } = entry as { _data?: { uncompressedSize?: unknown } }
  return typeof data?.uncompressedSize === 'number' ? data.uncompressedSize : 0
}

function fromFound(entryFiles: readonly FoundFile[]): Promise<WorldFiles> {
  const [first] = entryFiles
  if (first === undefined) throw new NotABundle('The folder is empty.')
  if (entryFiles.length > BUNDLE_LIMITS.zipEntries) {
    throw new NotABundle(
      `The folder has more than ${BUNDLE_LIMITS.zipEntries} files: choose the one with the World alone.`,
    )
  }
  const top = first.path.split('/')[0] ?? ''
  return filesOf(first.path.includes('/') ? top : `${entryFiles.length} files`, entryFiles)
}

/** The World in what was found, with a manifest made from its names where it has none. */
export async function filesOf(name: string, entryFiles: readonly FoundFile[]): Promise<WorldFiles> {
  const { files: parts, leftOut } = rooted(entryFiles)
  const files = new Map<string, Content>()
  for (const { path, file } of parts) files.set(path, await contentOf(file))
  if (!files.has(MANIFEST_PATH)) files.set(MANIFEST_PATH, firstManifest(name, [...files.keys()]))
  return { name, files, leftOut }
}

/** Larger text makes editors slow. */
export const MAX_TEXT = 512 * 1024

/** A file as it is edited: a string if it is UTF-8 text. */
export async function contentOf(file: Blob): Promise<Content> {
  if (file.size > MAX_TEXT) return file
  const bytes = await file.arrayBuffer()
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? file : text
  } catch {
    return file
  }
}

interface Rooted {
  /** By paths from the root of the bundle. */
  readonly files: readonly FoundFile[]
  readonly leftOut: readonly string[]
}

/**
 * The files of a bundle from its root, the folder of the topmost manifest, without hidden files, installed packages
 * and files outside the root.
 */
export function rooted(entryFiles: readonly FoundFile[]): Rooted {
  // Macs spell accents apart, pages as one letter.
  const composed = entryFiles.map(({ path, file }) => ({ path: bundlePath(path), file }))
  const manifests = composed
    .filter(({ path }) => isPart(path) && path.slice(path.lastIndexOf('/') + 1) === MANIFEST_PATH)
    .toSorted((a, b) => a.path.split('/').length - b.path.split('/').length)
  const root = manifests[0] ? manifests[0].path.slice(0, -MANIFEST_PATH.length) : commonFolder(composed)
  const files: FoundFile[] = []
  const leftOut = new Set<string>()
  for (const { path, file } of composed) {
    const inside = path.startsWith(root)
    const own = inside ? path.slice(root.length) : path
    if (inside && isPart(own)) files.push({ path: own, file })
    else leftOut.add(inside ? hiddenPart(own) : own)
  }
  return { files, leftOut: [...leftOut].sort() }
}

function isPart(path: string): boolean {
  return path.split('/').every(isPartName)
}

/** The excluded folder of a file, or the file itself. */
function hiddenPart(path: string): string {
  const parts = path.split('/')
  const at = parts.findIndex((part) => !isPartName(part))
  const folder = parts.slice(0, at + 1).join('/')
  return folder.length < path.length ? `${folder}/` : folder
}

function commonFolder(entryFiles: readonly FoundFile[]): string {
  const first = entryFiles[0]?.path ?? ''
  const top = first.slice(0, first.indexOf('/') + 1)
  return entryFiles.every(({ path }) => path.startsWith(top)) ? top : ''
}

export interface ListedFile {
  readonly path: string
  /** Bytes; of text as it is edited, characters. */
  readonly size: number
  readonly text: boolean
}

/** The files in the order of their paths. */
export function listedFiles({ files }: WorldFiles): readonly ListedFile[] {
  return [...files]
    .map(([path, content]) =>
      typeof content === 'string'
        ? { path, size: content.length, text: true }
        : { path, size: content.size, text: false },
    )
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** Reason why a World cannot have a file at a path; undefined where it can. The preview's check finds the rest. */
export function newPathProblem({ files }: Pick<WorldFiles, 'files'>, path: string): string | undefined {
  if (path === '') return 'Type a name, like notes.js or sounds/kick.wav.'
  if (files.has(path)) return `There is a file ${path} already.`
  const ignoredPart = path.split('/').find((part) => !isPartName(part))
  return ignoredPart === undefined ? undefined : `Files named ${ignoredPart} are left out of Worlds.`
}

/**
 * The bundle of a World as a ZIP.
 *
 * @param onShare Called with the progress, 0 to 1.
 * @throws NotABundle when it is larger than a bundle may be; DOMException for files that cannot be read.
 */
export async function packFiles(
  { files, unread }: WorldFiles,
  onShare: (share: number) => void,
): Promise<Blob> {
  const bundle = unread ?? (await zipOf(files, onShare))
  const mib = bundle.size / 1024 / 1024
  if (mib <= MAX_ZIP_MIB) return bundle
  throw new NotABundle(`The ZIP has ${mib.toFixed(1)} MiB: it may have ${MAX_ZIP_MIB} MiB.`)
}

async function zipOf(files: WorldFiles['files'], onShare: (share: number) => void): Promise<Blob> {
  const zip = new (await importAgain(() => import('jszip'))).default()
  for (const [path, content] of files) zip.file(path, content)
  return zip.generateAsync({ type: 'blob', compression: 'DEFLATE' }, ({ percent }) => onShare(percent / 100))
}

/** Messages for rejected choices. */
export function choiceErrorLines(error: unknown): readonly string[] {
  if (error instanceof NotABundle) return [error.message]
  return error instanceof DOMException ? [UNREADABLE] : errorLines(error)
}

const UNREADABLE = 'The browser could not read the files: they may have changed since. Choose them again.'
