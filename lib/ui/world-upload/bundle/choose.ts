import type JSZip from 'jszip'
import { bundlePath, isSystemName, isSystemPath } from '#lib/protocol/bundle-paths.ts'
import { importAgain } from '#lib/ui/kit/missing-chunk.ts'

/** Path of the manifest in a bundle. */
export const MANIFEST_PATH = 'world-manifest.json'

export interface ChosenFile {
  /** From the root of the bundle. */
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** The files chosen for upload, still in the browser. */
export interface Chosen {
  /** Name of the ZIP or the folder. */
  readonly name: string
  readonly kind: 'zip' | 'folder'
  /** By path; empty for a ZIP that cannot be read here. */
  readonly files: readonly ChosenFile[]
  /** Excluded files of the ZIP or the folder. */
  readonly leftOut: readonly string[]
  /** The text of its manifest, if it has one. */
  readonly manifest: string | undefined
  /**
   * The bundle as a ZIP.
   *
   * @param manifest Replaces the bundle's own.
   * @param onShare Called with the progress, 0 to 1.
   */
  pack(manifest: string | undefined, onShare: (share: number) => void): Promise<Blob>
}

/** A ZIP, sent unchanged unless its manifest is replaced. */
export async function chooseZip(file: File): Promise<Chosen> {
  const read = await loadZip(file).catch(() => undefined)
  const files: ChosenFile[] = []
  const leftOut: string[] = []
  read?.forEach((name, entry) => {
    const path = bundlePath(name)
    if (entry.dir) return
    if (isSystemPath(path)) leftOut.push(path)
    else files.push({ path, size: sizeOf(entry) })
  })
  return {
    name: file.name,
    kind: 'zip',
    files: sorted(files),
    leftOut: leftOut.sort(),
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
  // Macs spell accents apart, pages as one letter.
  const { files, leftOut } = rooted(found.map(({ path, file }) => ({ path: path.normalize('NFC'), file })))
  const own = files.find(({ path }) => path === MANIFEST_PATH)
  return {
    name,
    kind: 'folder',
    files: sorted(files.map(({ path, file }) => ({ path, size: file.size }))),
    leftOut,
    manifest: await own?.file.text(),
    async pack(manifest, onShare) {
      const zip = new (await importAgain(() => import('jszip'))).default()
      for (const { path, file } of files) zip.file(path, file)
      if (manifest !== undefined) zip.file(MANIFEST_PATH, manifest)
      return generate(zip, onShare)
    },
  }
}

async function loadZip(file: File): Promise<JSZip> {
  const { default: Zip } = await importAgain(() => import('jszip'))
  return Zip.loadAsync(file)
}

function generate(zip: JSZip, onShare: (share: number) => void): Promise<Blob> {
  return zip.generateAsync({ type: 'blob', compression: 'DEFLATE' }, ({ percent }) => onShare(percent / 100))
}

/** The uncompressed size from the ZIP's directory, which the library does not expose. */
function sizeOf(entry: JSZip.JSZipObject): number {
  const { _data: data } = entry as { _data?: { uncompressedSize?: unknown } }
  return typeof data?.uncompressedSize === 'number' ? data.uncompressedSize : 0
}

function sorted(files: readonly ChosenFile[]): readonly ChosenFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

export interface FoundFile {
  /** As it was found, the name of the chosen folder first. */
  readonly path: string
  readonly file: File
}

interface Rooted {
  /** By paths from the root of the bundle. */
  readonly files: readonly FoundFile[]
  /** Paths, or folders with a slash at the end. */
  readonly leftOut: readonly string[]
}

/**
 * The files of a bundle from its root, the folder of the topmost manifest, without hidden files, installed packages
 * and files outside the root.
 */
export function rooted(found: readonly FoundFile[]): Rooted {
  const manifests = found
    .filter(({ path }) => isPart(path) && nameOf(path) === MANIFEST_PATH)
    .toSorted((a, b) => a.path.split('/').length - b.path.split('/').length)
  const root = bundlePath(manifests[0] ? folderOf(manifests[0].path) : commonFolder(found))
  const files: FoundFile[] = []
  const leftOut = new Set<string>()
  for (const { path: spelt, file } of found) {
    const path = bundlePath(spelt)
    const inside = path.startsWith(root)
    const own = inside ? path.slice(root.length) : path
    if (inside && isPart(own)) files.push({ path: own, file })
    else leftOut.add(inside ? hiddenPart(own) : own)
  }
  return { files, leftOut: [...leftOut].sort() }
}

/** Files that package managers and editors leave in the folder of a World, besides those that no bundle holds. */
const NO_PARTS: ReadonlySet<string> = new Set([
  'node_modules',
  'jsconfig.json',
  'package.json',
  'package-lock.json',
])

/** Whether files and folders of this name belong in a bundle. */
export function isPartName(name: string): boolean {
  return !isSystemName(name) && !name.endsWith('.d.ts') && !NO_PARTS.has(name)
}

function isPart(path: string): boolean {
  return path.split('/').every(isPartName)
}

/** The excluded folder of a file, or the file itself. */
function hiddenPart(path: string): string {
  const parts = path.split('/')
  const at = parts.findIndex((part) => !isPartName(part))
  const kept = parts.slice(0, at + 1).join('/')
  return kept.length < path.length ? `${kept}/` : kept
}

function commonFolder(found: readonly FoundFile[]): string {
  const first = found[0]?.path ?? ''
  const top = first.slice(0, first.indexOf('/') + 1)
  return found.every(({ path }) => path.startsWith(top)) ? top : ''
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
