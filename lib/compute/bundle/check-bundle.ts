import { bundlePath, isSystemPath, MANIFEST_PATH } from '#lib/protocol/bundle-paths.ts'
import { readDirectory, type ZipEntry } from '../zip/read-directory.ts'
import { quoteName, ZipProblem } from '../zip/records.ts'
import { fileSetProblems, isIgnored, leftOutWarnings, pathProblem } from './check-paths.ts'
import { type BundleOutcome, refused } from './checked-bundle.ts'
import { BUNDLE_LIMITS } from './limits.ts'
import { makeBundle } from './make-bundle.ts'
import { type DeclaredFiles, readManifest } from './manifest.ts'
import { isPage, mediaType } from './mime.ts'
import { mib, type ReadFile, readFile, readFiles, sizeProblems } from './read-files.ts'

/**
 * Validates a ZIP as a bundle: its directory first, then names, then contents, each within limits that do not depend on
 * what the ZIP declares. Reports all problems it can find.
 */
export async function checkBundle(zip: Uint8Array): Promise<BundleOutcome> {
  try {
    const entries = readDirectory(zip, BUNDLE_LIMITS.zipEntries).map((entry) => ({
      ...entry,
      name: bundlePath(entry.name),
    }))
    const bundleEntries = entries.filter(({ name }) => !isIgnored(name))
    const problems = [
      ...entries.flatMap(({ name }) => (isSystemPath(name) ? [] : (pathProblem(name) ?? []))),
      ...fileSetProblems(bundleEntries.map(({ name }) => name)),
    ]
    const manifestFile = await readManifestFile(zip, bundleEntries)
    if (typeof manifestFile === 'string') return refused([...problems, manifestFile])
    const outcome = readManifest(manifestFile.bytes)
    const declared = 'problems' in outcome ? outcome.declared : outcome.manifest
    if ('problems' in outcome) problems.push(...outcome.problems)
    problems.push(...declaredFileProblems(declared, bundleEntries), ...sizeProblems(bundleEntries))
    const previewFile = await readPreview(declared, zip, bundleEntries)
    if (previewFile !== undefined) problems.push(...previewProblems(previewFile))
    if (problems.length > 0 || 'problems' in outcome) return refused(problems)
    const filesRead = previewFile === undefined ? [manifestFile] : [manifestFile, previewFile]
    const files = await readFiles(zip, bundleEntries, filesRead)
    return makeBundle(outcome, manifestFile.hash, files, leftOutWarnings(entries.map(({ name }) => name)))
  } catch (error) {
    if (error instanceof ZipProblem) return refused([error.message])
    throw error
  }
}

async function readManifestFile(
  zip: Uint8Array,
  bundleEntries: readonly ZipEntry[],
): Promise<ReadFile | string> {
  const entry = bundleEntries.find(({ name }) => name === MANIFEST_PATH)
  if (entry === undefined) {
    const nested = bundleEntries.find(({ name }) => name.endsWith(`/${MANIFEST_PATH}`))
    return nested === undefined
      ? `${MANIFEST_PATH} is missing: it must be at the root of the ZIP`
      : `${MANIFEST_PATH} must be at the root of the ZIP, not at ${quoteName(nested.name)}: zip the files, not their folder`
  }
  if (entry.bytes > BUNDLE_LIMITS.manifest) {
    return `${MANIFEST_PATH} is larger than ${BUNDLE_LIMITS.manifest / 1024} KiB`
  }
  return readFile(zip, entry)
}

function declaredFileProblems(
  { entry: page, preview }: DeclaredFiles,
  bundleEntries: readonly ZipEntry[],
): readonly string[] {
  const problems: string[] = []
  const byName = new Map(bundleEntries.map((entry) => [entry.name, entry] as const))
  if (page !== undefined && !isPage(page)) problems.push(`${MANIFEST_PATH} entry: must be an .html file`)
  else if (page !== undefined && !byName.has(page)) problems.push(missing('entry', page, bundleEntries))
  if (preview !== undefined) {
    const entry = byName.get(preview)
    if (entry === undefined) problems.push(missing('preview', preview, bundleEntries))
    else if (entry.bytes > BUNDLE_LIMITS.preview) {
      problems.push(`${MANIFEST_PATH} preview: the image is larger than ${mib(BUNDLE_LIMITS.preview)}`)
    }
  }
  return problems
}

function missing(field: string, path: string, bundleEntries: readonly ZipEntry[]): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const near = bundleEntries.find((entry) => `/${entry.name}`.toLowerCase().endsWith(`/${name}`))
  const advice = near === undefined ? '' : `; did you mean ${quoteName(near.name)}?`
  return `${MANIFEST_PATH} ${field}: there is no file ${quoteName(path)} in the ZIP${advice}`
}

/** Reads the declared preview; undefined without one, and for one that is refused for its size. */
async function readPreview(
  { preview }: DeclaredFiles,
  zip: Uint8Array,
  bundleEntries: readonly ZipEntry[],
): Promise<ReadFile | undefined> {
  const entry = bundleEntries.find(({ name }) => name === preview)
  if (entry === undefined || entry.bytes > BUNDLE_LIMITS.preview) return undefined
  return readFile(zip, entry)
}

function previewProblems({ entry, bytes }: ReadFile): readonly string[] {
  if (isImage(entry.name, bytes)) return []
  return [
    `${MANIFEST_PATH} preview: ${quoteName(entry.name)} is not a PNG, JPEG or WebP image, or is named as another kind`,
  ]
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff]
const RIFF = [0x52, 0x49, 0x46, 0x46]
const WEBP = [0x57, 0x45, 0x42, 0x50]

/** Whether a file is the PNG, JPEG or WebP image of its extension, judged by its first bytes. */
function isImage(path: string, bytes: Uint8Array): boolean {
  switch (mediaType(path)) {
    case 'image/png':
      return holds(bytes, 0, PNG)
    case 'image/jpeg':
      return holds(bytes, 0, JPEG)
    case 'image/webp':
      return holds(bytes, 0, RIFF) && holds(bytes, 8, WEBP)
    default:
      return false
  }
}

function holds(bytes: Uint8Array, at: number, expected: readonly number[]): boolean {
  return expected.every((byte, index) => bytes[at + index] === byte)
}
