import { BUNDLE_LIMITS } from './limits.ts'
import type { AcceptedManifest } from './manifest.ts'
import { isPage, isScript } from './mime.ts'
import type { ReadFile } from './read-files.ts'

const SEMVER = /^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/
const ENTITY_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Parts of a manifest that are allowed but discouraged, one sentence each. */
export function manifestWarnings({
  manifest,
  unknownKeys,
  repeatsPermission,
}: AcceptedManifest): readonly string[] {
  const warnings: string[] = []
  if (unknownKeys.length > 0) {
    const shownKeys = unknownKeys.slice(0, 10).map((key) => JSON.stringify(key.slice(0, 80)))
    warnings.push(`Unknown manifest keys are ignored: ${shownKeys.join(', ')}.`)
  }
  if (manifest.preview === undefined) warnings.push('Preview asset is not declared.')
  if (manifest.acceptedConnectorSets.length === 0 && manifest.acceptedFormatHashes.length === 0) {
    warnings.push('No compatibility is declared: the World names no connectors and no formats.')
  }
  if (repeatsPermission) warnings.push('A permission is listed more than once.')
  if (!SEMVER.test(manifest.version)) {
    warnings.push(`The version ${JSON.stringify(manifest.version)} is not like 1.2.3.`)
  }
  if (manifest.accentColor !== undefined && !/^#[0-9a-fA-F]{6}$/.test(manifest.accentColor)) {
    warnings.push('accentColor is not a colour like #1a2b3c.')
  }
  const names = manifest.acceptedConnectorSets.flatMap((set) => [
    ...set.connectors,
    ...set.optionalConnectors,
  ])
  for (const name of new Set(names.filter((name) => !ENTITY_NAME.test(name)))) {
    warnings.push(`No connector can have the name ${JSON.stringify(name)}.`)
  }
  for (const path of Object.keys(manifest.valueLimits?.connectorValues ?? {})) {
    if (!path.startsWith('/')) {
      warnings.push(`The output path ${JSON.stringify(path)} in valueLimits does not begin with a slash.`)
    }
  }
  return warnings
}

const RUNTIME = 'world-runtime.js'
const SDK_FILES: ReadonlySet<string> = new Set([RUNTIME, 'world-host.js'])

/** Advice about scripts and style sheets, one sentence each. Pages have their own (`page-warnings.ts`). */
export function fileWarnings(files: readonly ReadFile[]): readonly string[] {
  const warnings: string[] = []
  const nameByLowerCase = new Map(
    files.map(({ entry: { name } }) => [baseName(name).toLowerCase(), baseName(name)]),
  )
  const exact = new Set(files.map(({ entry: { name } }) => baseName(name)))
  let refersToRuntime = false
  let read = 0
  for (const { entry, bytes } of files) {
    const path = entry.name
    if (SDK_FILES.has(baseName(path))) {
      warnings.push(`${path}: a copy of the SDK grows old; load it from ../../js/sdk/ instead`)
    }
    if (!isPage(path)) {
      const isText = (isScript(path) || isStyleSheet(path)) && entry.bytes <= BUNDLE_LIMITS.advisedText
      if (!isText || read + entry.bytes > BUNDLE_LIMITS.advisedTexts) continue
      read += entry.bytes
    }
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    refersToRuntime ||= text.includes(RUNTIME)
    for (const word of otherCases(bytes, nameByLowerCase, exact)) {
      const file = nameByLowerCase.get(word.toLowerCase())
      warnings.push(
        `${path}: it names "${word}", and the file is "${file}": here, upper and lower case count`,
      )
    }
    if (isScript(path) && /\beval\s*\(|\bnew\s+Function\s*\(/.test(text)) {
      warnings.push(`${path}: eval and new Function will not run`)
    }
    if (isStyleSheet(path) && /(?:@import\s+|url\(\s*)["']?(?:https?:)?\/\//i.test(text)) {
      warnings.push(`${path}: what it loads from other hosts will not load; put the files into the bundle`)
    }
  }
  if (!refersToRuntime) {
    warnings.push(`No page or script refers to ${RUNTIME}: the World will not hear from its page.`)
  }
  return warnings
}

/** Names in one file that are told. */
const MAX_OTHER_CASES = 10

/**
 * Finds words of a text that are the name of a file but for upper and lower case, which Windows and macOS forgive.
 *
 * @param nameByLowerCase Names of files by their lower case.
 * @param exact The same names as they are.
 */
function otherCases(
  bytes: Uint8Array,
  nameByLowerCase: ReadonlyMap<string, string>,
  exact: ReadonlySet<string>,
): readonly string[] {
  const words = new Set<string>()
  for (const word of Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('utf8')
    .normalize('NFC')
    .split(/[\s"'`()<>/\\=?#:,;]+/)) {
    if (word.length > MAX_NAME || !word.includes('.') || exact.has(word) || words.size >= MAX_OTHER_CASES)
      continue
    if (nameByLowerCase.has(word.toLowerCase())) words.add(word)
  }
  return [...words]
}

/** Characters of a name at most. */
const MAX_NAME = 255

function isStyleSheet(path: string): boolean {
  return /\.css$/i.test(path)
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
