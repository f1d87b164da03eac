import { createHash } from 'node:crypto'
import { inflateEntry } from '../zip/inflate-entry.ts'
import type { ZipEntry } from '../zip/read-directory.ts'
import { quoteName } from '../zip/records.ts'
import { BUNDLE_LIMITS } from './limits.ts'
import { isPage, isScript } from './mime.ts'

/** A file of the ZIP after its whole content went by. */
export interface ReadFile {
  readonly entry: ZipEntry
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
  /** The content of files that are looked into; the first bytes of all others. */
  readonly bytes: Uint8Array
}

/** Bytes that suffice to detect the type of an image. */
export const HEAD_BYTES = 16

/**
 * Reads files one after another, retaining only what later checks inspect.
 *
 * @param known Files that were read before.
 * @throws ZipProblem
 */
export async function readFiles(
  zip: Uint8Array,
  entries: readonly ZipEntry[],
  known: readonly ReadFile[],
): Promise<readonly ReadFile[]> {
  const before = new Map(known.map((file) => [file.entry, file] as const))
  const files: ReadFile[] = []
  let advised = 0
  for (const entry of entries) {
    const isText = isAdvised(entry) && advised + entry.bytes <= BUNDLE_LIMITS.advisedTexts
    if (isText) advised += entry.bytes
    const most = isText || isPage(entry.name) ? entry.bytes : HEAD_BYTES
    files.push(before.get(entry) ?? (await readWhole(zip, entry, most)))
  }
  return files
}

/** Reads one file and returns its first `keep` bytes. @throws ZipProblem */
export async function readWhole(zip: Uint8Array, entry: ZipEntry, keep = entry.bytes): Promise<ReadFile> {
  const hash = createHash('sha256')
  const kept: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of inflateEntry(zip, entry)) {
    hash.update(chunk)
    if (bytes < keep) kept.push(chunk.subarray(0, keep - bytes))
    bytes += chunk.byteLength
  }
  return { entry, hash: hash.digest('hex'), bytes: Buffer.concat(kept) }
}

function isAdvised({ name, bytes }: ZipEntry): boolean {
  return (isScript(name) || isStyleSheet(name)) && bytes <= BUNDLE_LIMITS.advisedText
}

export function isStyleSheet(path: string): boolean {
  return /\.css$/i.test(path)
}

/** Holds the declared sizes against the limits; the actual ones cannot be larger without being noticed. */
export function sizeProblems(entries: readonly ZipEntry[]): readonly string[] {
  const problems: string[] = []
  let total = 0
  let compressed = 0
  let pages = 0
  for (const { name, bytes, compressedBytes } of entries) {
    total += bytes
    compressed += compressedBytes
    if (isPage(name)) {
      pages += bytes
      if (bytes > BUNDLE_LIMITS.page) {
        problems.push(`${quoteName(name)}: a page has at most ${mib(BUNDLE_LIMITS.page)}`)
      }
    }
    if (bytes > BUNDLE_LIMITS.ratioFrom && bytes > compressedBytes * BUNDLE_LIMITS.ratio) {
      problems.push(
        `${quoteName(name)} inflates to more than ${BUNDLE_LIMITS.ratio} times its compressed size`,
      )
    }
  }
  if (total > BUNDLE_LIMITS.extracted) {
    problems.push(`The files have more than ${mib(BUNDLE_LIMITS.extracted)} together`)
  }
  if (total > BUNDLE_LIMITS.wholeRatioFrom && total > compressed * BUNDLE_LIMITS.wholeRatio) {
    problems.push(`The files inflate to more than ${BUNDLE_LIMITS.wholeRatio} times their compressed size`)
  }
  if (pages > BUNDLE_LIMITS.pages) {
    problems.push(`The pages have more than ${mib(BUNDLE_LIMITS.pages)} together`)
  }
  return problems
}

export function mib(bytes: number): string {
  return `${bytes / 1024 / 1024} MiB`
}
