import { createHash } from 'node:crypto'
import { inflateEntry } from '../zip/inflate-entry.ts'
import type { ZipEntry } from '../zip/read-directory.ts'
import { quoteName } from '../zip/records.ts'
import { BUNDLE_LIMITS } from './limits.ts'
import { isPage } from './mime.ts'

/** A file of the ZIP. */
export interface ReadFile {
  readonly entry: ZipEntry
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/**
 * Reads files one after another, which `sizeProblems` found no fault with.
 *
 * @param filesRead Files that were read before.
 * @throws ZipProblem
 */
export async function readFiles(
  zip: Uint8Array,
  entries: readonly ZipEntry[],
  filesRead: readonly ReadFile[],
): Promise<readonly ReadFile[]> {
  const before = new Map(filesRead.map((file) => [file.entry, file] as const))
  const files: ReadFile[] = []
  for (const entry of entries) files.push(before.get(entry) ?? (await readFile(zip, entry)))
  return files
}

/** Reads one file. @throws ZipProblem */
export async function readFile(zip: Uint8Array, entry: ZipEntry): Promise<ReadFile> {
  const hash = createHash('sha256')
  const bytes = new Uint8Array(entry.bytes)
  let at = 0
  for await (const chunk of inflateEntry(zip, entry)) {
    hash.update(chunk)
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return { entry, hash: hash.digest('hex'), bytes }
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
