/*
 * Rules on names of files in bundles of Worlds that the browser and the server share.
 */

/** Files and folders that systems and archivers add, in lower case; those with a leading dot need no entry. */
const SYSTEM_NAMES: ReadonlySet<string> = new Set([
  '__macosx',
  'icon\r',
  'thumbs.db',
  'ehthumbs.db',
  'desktop.ini',
  '$recycle.bin',
  'system volume information',
  'lost+found',
  'network trash folder',
  'temporary items',
])

/** Names that begin so are hidden, or locks of an office program; `:` is a stream beside a file of Windows. */
const SYSTEM_BEGINNINGS = /^(?:\.[^.]|~\$|thumbs\.db:)/i

/** Whether a file or folder of this name is left out of every bundle: hidden, or added by a system. */
export function isSystemName(name: string): boolean {
  return SYSTEM_BEGINNINGS.test(name) || SYSTEM_NAMES.has(name.toLowerCase())
}

/** Whether a path is, or lies in, what `isSystemName` leaves out. */
export function isSystemPath(path: string): boolean {
  return path.split('/').some(isSystemName)
}

/** Spelling of a path in a bundle: composed (NFC), because macOS decomposes names and pages are typed composed. */
export function bundlePath(path: string): string {
  return path.normalize('NFC')
}

/** File at the root of every bundle that describes the World. */
export const MANIFEST_PATH = 'world-manifest.json'

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
