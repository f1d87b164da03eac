import { createHash } from 'node:crypto'
import { bundleListing } from '#lib/protocol/bundle-listing.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { quoteName, ZipProblem } from '../zip/records.ts'
import type { BundleFile, BundleOutcome } from './checked-bundle.ts'
import { LISTING_PATH, refused, uploadedPath } from './checked-bundle.ts'
import { type LiftedPage, liftInlineScripts } from './lift-inline-scripts.ts'
import { BUNDLE_LIMITS } from './limits.ts'
import type { AcceptedManifest } from './manifest.ts'
import { isPage } from './mime.ts'
import { mib, type ReadFile } from './read-files.ts'
import { fileWarnings, manifestWarnings } from './warnings.ts'

interface Page {
  readonly page: BundleFile
  readonly lifted: readonly BundleFile[]
  readonly warnings: readonly string[]
}

/**
 * Converts the files of a valid ZIP into the files to be served, with their hashes.
 *
 * @param leftOut Warnings about files of the ZIP that are not among `files`.
 * @throws ZipProblem when a page cannot be prepared.
 */
export function makeBundle(
  accepted: AcceptedManifest,
  manifestHash: string,
  files: readonly ReadFile[],
  leftOut: readonly string[],
): BundleOutcome {
  const pageFiles = files.filter(({ entry }) => isPage(entry.name))
  if (pageFiles.reduce((sum, { bytes }) => sum + openingBrackets(bytes), 0) > BUNDLE_LIMITS.markup) {
    return refused([`The pages have more than ${BUNDLE_LIMITS.markup} tags together: make them simpler`])
  }
  const pages = new Map(pageFiles.map((file) => [file, makePage(file)] as const))
  const lifted = [...pages.values()].flatMap((page) => page.lifted)
  // One of each page is its guard.
  if (lifted.length - pages.size > BUNDLE_LIMITS.liftedFiles) {
    return refused([
      `The pages have more than ${BUNDLE_LIMITS.liftedFiles} inline scripts: move them into files`,
    ])
  }
  const names = new Set(files.map(({ entry }) => entry.name))
  const clash = lifted.find(({ path }) => names.has(path))
  if (clash !== undefined) {
    return refused([`${quoteName(clash.path)} is the name of an inline script: rename the file`])
  }
  const listing = listingOf(files)
  const warnings = [
    ...manifestWarnings(accepted),
    ...leftOut,
    ...previewWarnings(accepted.manifest.preview, files),
    ...fileWarnings(files),
    ...[...pages.values()].flatMap((page) => page.warnings),
  ]
  return {
    status: 'accepted',
    bundle: {
      manifest: accepted.manifest,
      bundleHash: listing.hash,
      manifestHash,
      files: [...files.map((file) => pages.get(file)?.page ?? unchanged(file)), ...lifted],
      asUploaded: [
        listing,
        ...pageFiles.map((file) => ({ ...unchanged(file), path: uploadedPath(file.entry.name) })),
      ],
      warnings: warnings.slice(0, BUNDLE_LIMITS.warnings),
    },
  }
}

function openingBrackets(bytes: Uint8Array): number {
  let count = 0
  for (const byte of bytes) if (byte === 0x3c) count++
  return count
}

function makePage(file: ReadFile): Page {
  const { name } = file.entry
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(file.bytes)
  } catch {
    throw new ZipProblem(`${quoteName(name)}: a page must be UTF-8 text`)
  }
  const { html, files, warnings } = lift(text, name)
  return {
    page: html === text ? unchanged(file) : rewritten(name, new TextEncoder().encode(html)),
    lifted: files.map(({ path, bytes }) => rewritten(path, bytes)),
    warnings,
  }
}

function lift(text: string, path: string): LiftedPage {
  try {
    return liftInlineScripts(text, path)
  } catch (error) {
    if (error instanceof Failure) throw new ZipProblem(error.message)
    throw error
  }
}

function unchanged({ entry, hash, bytes }: ReadFile): BundleFile {
  return { path: entry.name, size: entry.bytes, hash, bytes }
}

function rewritten(path: string, bytes: Uint8Array<ArrayBuffer>): BundleFile {
  return { path, size: bytes.byteLength, hash: sha256(bytes), bytes }
}

function previewWarnings(preview: string | undefined, files: readonly ReadFile[]): readonly string[] {
  const file = files.find(({ entry }) => entry.name === preview)
  if (file === undefined || file.entry.bytes <= BUNDLE_LIMITS.lightPreview) return []
  return [`The preview is larger than ${mib(BUNDLE_LIMITS.lightPreview)}.`]
}

function listingOf(files: readonly ReadFile[]): BundleFile {
  const sorted = files
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.entry.name), Buffer.from(b.entry.name)))
    .map(({ entry, hash }) => ({ path: entry.name, size: entry.bytes, hash }))
  return rewritten(LISTING_PATH, new TextEncoder().encode(bundleListing(sorted)))
}

function sha256(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
