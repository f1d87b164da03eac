import { z } from 'zod'
import { bundlePath, MANIFEST_PATH } from '#lib/protocol/bundle-paths.ts'
import { hasBidiControls } from '#lib/protocol/names.ts'
import { canonicalPermission } from '#lib/protocol/world-manifest.ts'

export const SURFACES = ['world-page', 'studio-plugin'] as const

/** Slugs that are pages of the site themselves. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set(['upload'])

const MAX_ITEMS = 256
const MAX_RANGES = 1024

function text(max: number) {
  return z
    .string()
    .trim()
    .max(max, `expected at most ${max} characters`)
    .refine(isPlainText, 'control characters are not accepted')
    .refine(
      (value) => !hasBidiControls(value),
      'characters that turn the direction of what follows are not accepted',
    )
}

function requiredText(max: number) {
  return text(max).min(1, 'must not be empty')
}

/** Tabs and line breaks are text; what a database or a terminal chokes on is not. */
function isPlainText(value: string): boolean {
  return value.isWellFormed() && !/[^\P{Cc}\t\n\r]/u.test(value)
}

function list<T extends z.ZodType>(item: T, max = MAX_ITEMS) {
  return z.array(item).max(max, `expected at most ${max} entries`)
}

const range = z
  .object({
    min: z.number('expected a finite number'),
    max: z.number('expected a finite number'),
  })
  .refine(({ min, max }) => min <= max, 'min must not be greater than max')

const ranges = z
  .record(z.string(), range)
  .refine((value) => Object.keys(value).length <= MAX_RANGES, `expected at most ${MAX_RANGES} entries`)
  .refine((value) => Object.keys(value).every((path) => path.trim() !== ''), 'a path must not be empty')
  .refine((value) => Object.keys(value).every(isPlainText), 'control characters are not accepted')
  .transform((value) => Object.fromEntries(Object.entries(value).map(([path, r]) => [path.trim(), r])))

const valueLimits = z.object({ particlesCount: range.optional(), connectorValues: ranges.optional() })

const connectorSet = z.object({
  connectors: list(requiredText(128)).min(1, 'expected at least one connector'),
  optionalConnectors: list(requiredText(128)).default([]),
})

/** The manifest's schema. Unknown keys are dropped and listed in `unknownKeys`. */
const manifestSchema = z.object({
  schemaVersion: z.literal(1, 'must be 1'),
  slug: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'expected lower-case letters, digits and dashes')
    .max(80, 'expected at most 80 characters')
    .refine((slug) => !RESERVED_SLUGS.has(slug), 'this slug is the address of another page: choose another'),
  name: requiredText(200),
  version: requiredText(64),
  description: requiredText(10_000),
  entry: requiredText(512).transform(bundlePath),
  runtime: z.literal('iframe', 'must be "iframe"'),
  surfaces: list(z.enum(SURFACES, `expected ${SURFACES.map((s) => `"${s}"`).join(' or ')}`)).min(
    1,
    `expected at least one of ${SURFACES.map((s) => `"${s}"`).join(', ')}`,
  ),
  permissions: list(
    z.string().refine((name) => canonicalPermission(name) !== undefined, 'there is no such permission'),
  ).default([]),
  acceptedConnectorSets: list(connectorSet).default([]),
  acceptedFormatHashes: list(
    z.string().regex(/^(0x)?[a-fA-F0-9]{64}$/, 'expected 64 hexadecimal digits, with or without 0x'),
  ).default([]),
  valueLimits: valueLimits.optional(),
  preview: text(512).transform(bundlePath).optional(),
  shortDescription: text(1000).optional(),
  heroLabel: text(200).optional(),
  accentColor: text(64).optional(),
  /** Id of the World that this one was made from. */
  remixOf: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'expected the id of a World, such as "wld_…"')
    .optional(),
  chainApiVersion: z.union([z.literal(1), z.literal(2)], 'must be 1 or 2').optional(),
})

/** A manifest as accepted: trimmed, without duplicates, without empty optional texts. */
export type WorldManifest = z.output<typeof manifestSchema>

export interface AcceptedManifest {
  readonly manifest: WorldManifest
  readonly unknownKeys: readonly string[]
  /** Whether the file lists a permission more than once. */
  readonly repeatsPermission: boolean
}

/** Files a manifest names, whatever else is wrong with it. */
export interface DeclaredFiles {
  readonly entry?: string | undefined
  readonly preview?: string | undefined
}

export type ManifestOutcome =
  | AcceptedManifest
  | { readonly problems: readonly string[]; readonly declared: DeclaredFiles }

/** Reads `world-manifest.json`. @returns the manifest, or every problem it has, each with its place. */
export function readManifest(bytes: Uint8Array): ManifestOutcome {
  const json = parseJson(bytes)
  if ('problem' in json) return { problems: [`${MANIFEST_PATH}: ${json.problem}`], declared: {} }
  const result = manifestSchema.safeParse(json.value)
  if (!result.success) {
    const problems = result.error.issues.map((issue) => describe(issue, json.value))
    return { problems, declared: declaredFiles(json.value) }
  }
  const manifest = withoutRepeats(result.data)
  return {
    manifest,
    unknownKeys: unknownKeys(json.value),
    repeatsPermission: manifest.permissions.length < result.data.permissions.length,
  }
}

function declaredFiles(value: unknown): DeclaredFiles {
  const { shape } = manifestSchema
  const entry = shape.entry.safeParse(valueAt(value, ['entry'])).data
  const preview = shape.preview.safeParse(valueAt(value, ['preview'])).data
  return { entry, preview: preview === '' ? undefined : preview }
}

function parseJson(bytes: Uint8Array): { readonly value: unknown } | { readonly problem: string } {
  let source: string
  try {
    source = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { problem: 'is not UTF-8 text' }
  }
  if (source.startsWith('\uFEFF')) return { problem: 'begins with a byte order mark: save it without' }
  let forbidden = false
  try {
    const value: unknown = JSON.parse(source, (key, inner) => {
      forbidden ||= key === '__proto__'
      return inner
    })
    return forbidden ? { problem: 'the key "__proto__" is not accepted' } : { value }
  } catch (error) {
    if (error instanceof RangeError) return { problem: 'is nested too deeply' }
    const reason = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ').slice(0, 200) : ''
    return { problem: `is not valid JSON: ${reason}` }
  }
}

function describe(issue: z.core.$ZodIssue, root: unknown): string {
  const place = issue.path.reduce<string>(placeIn, '')
  const missing = issue.path.length > 0 && valueAt(root, issue.path) === undefined
  const message = issue.message.replace(/^Invalid input: /, '').replace(/, received undefined$/, '')
  return `${MANIFEST_PATH}${place === '' ? '' : ` ${place}`}: ${missing ? 'required; ' : ''}${message}`
}

/** The place of an entry or a field, as problems name it: `acceptedConnectorSets[0].connectors`. */
export function placeIn(outer: string, part: PropertyKey): string {
  if (typeof part === 'number') return `${outer}[${part}]`
  return /^\w{1,128}$/.test(String(part))
    ? `${outer}${outer === '' ? '' : '.'}${String(part)}`
    : `${outer}[${JSON.stringify(String(part).slice(0, 120))}]`
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Readonly<Record<PropertyKey, unknown>>)[part]
  }
  return value
}

function withoutRepeats(manifest: WorldManifest): WorldManifest {
  const { valueLimits: limits, ...rest } = manifest
  const cleaned: WorldManifest = {
    ...rest,
    surfaces: [...new Set(manifest.surfaces)],
    permissions: firstOfEach(manifest.permissions, (name) => canonicalPermission(name) ?? name),
    acceptedFormatHashes: firstOfEach(manifest.acceptedFormatHashes, (hash) =>
      hash.toLowerCase().replace(/^0x/, ''),
    ),
    ...(limits?.particlesCount || limits?.connectorValues ? { valueLimits: limits } : {}),
  }
  for (const key of ['preview', 'shortDescription', 'heroLabel', 'accentColor'] as const) {
    if (cleaned[key] === '') delete cleaned[key]
  }
  return cleaned
}

function firstOfEach<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const firstByKey = new Map<string, T>()
  for (const item of items) if (!firstByKey.has(keyOf(item))) firstByKey.set(keyOf(item), item)
  return [...firstByKey.values()]
}

function unknownKeys(value: unknown): string[] {
  const knownKeys = new Set(Object.keys(manifestSchema.shape))
  return Object.keys(value as object).filter((key) => !knownKeys.has(key))
}
