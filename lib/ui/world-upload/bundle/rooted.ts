import { MANIFEST_PATH } from './chosen.ts'

export interface FoundFile {
  /** As it was found, the name of the chosen folder first. */
  readonly path: string
  readonly file: File
}

export interface Rooted {
  /** By paths from the root of the bundle. */
  readonly files: readonly FoundFile[]
  /** Paths, or folders with a slash at the end. */
  readonly leftOut: readonly string[]
}

/**
 * Finds the root of a bundle among the files of a folder, the folder of the topmost manifest, and leaves out what is no
 * part of any World: hidden files, installed packages, and what lies outside of the root.
 */
export function rooted(found: readonly FoundFile[]): Rooted {
  const manifests = found
    .filter(({ path }) => isPart(path) && nameOf(path) === MANIFEST_PATH)
    .toSorted((a, b) => a.path.split('/').length - b.path.split('/').length)
  const root = manifests[0] ? folderOf(manifests[0].path) : commonFolder(found)
  const files: FoundFile[] = []
  const leftOut = new Set<string>()
  for (const { path, file } of found) {
    const inside = path.startsWith(root)
    const own = inside ? path.slice(root.length) : path
    if (inside && isPart(own)) files.push({ path: own, file })
    else leftOut.add(inside ? hiddenPart(own) : own)
  }
  return { files, leftOut: [...leftOut].sort() }
}

/** Whether a file of this name, or what is inside of a folder of it, belongs into a bundle. */
export function isPartName(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules' && name !== '__MACOSX' && name !== 'Thumbs.db'
}

function isPart(path: string): boolean {
  return path.split('/').every(isPartName)
}

/** The folder that keeps a file out, or the file itself. */
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
