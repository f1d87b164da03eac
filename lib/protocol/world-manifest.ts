/*
 * Permissions that a World may request. Two families of names mean the same permissions: the first is what our documentation
 * uses, the second is a later spelling that existing Worlds carry.
 */

const FAMILY = 'dcn.'
const OTHER_FAMILY = 'decentralised.art.'

const PERMISSIONS = [
  'dcn.connectors.read',
  'dcn.transformations.read',
  'dcn.conditions.read',
  'dcn.social.read',
  'dcn.execute',
  'browser.audio',
  'browser.downloads',
] as const

/** Largest ZIP of a World that is uploaded, in MiB. */
export const MAX_ZIP_MIB = 25

/** The largest picture of a World that its owner can store as its preview: pixels of a side, bytes of the PNG. */
export const WORLD_PICTURE = { side: 1200, bytes: 2 * 1024 * 1024 } as const

export type Permission = (typeof PERMISSIONS)[number]

/** The one name of a permission in either spelling, undefined for anything else. */
export function canonicalPermission(name: string): Permission | undefined {
  const ours = name.startsWith(OTHER_FAMILY) ? `${FAMILY}${name.slice(OTHER_FAMILY.length)}` : name
  return PERMISSIONS.find((permission) => permission === ours)
}

/** Every spelling of a permission. */
export function permissionSpellings(name: Permission): readonly string[] {
  return name.startsWith(FAMILY) ? [name, `${OTHER_FAMILY}${name.slice(FAMILY.length)}`] : [name]
}

/** Ranges a World declares for itself in its manifest. */
export interface WorldLimits {
  readonly particlesCount?: { readonly min: number; readonly max: number } | undefined
  /** By output path, for instance `/pitch:0`. */
  readonly connectorValues?:
    | Readonly<Record<string, { readonly min: number; readonly max: number }>>
    | undefined
}

/** Whole numbers, both included. */
export interface WholeRange {
  readonly min: number
  readonly max: number
}

const MAX_COUNT = 65_536
const USUAL_COUNT = 64

/** Steps that a World takes, of those that a run can have at all. A manifest may leave none; then the nearest. */
export function countRange(limits: WorldLimits | undefined): WholeRange {
  const { min = 1, max = MAX_COUNT } = limits?.particlesCount ?? {}
  const low = Math.min(MAX_COUNT, Math.max(1, Math.ceil(min)))
  return { min: low, max: Math.max(low, Math.min(MAX_COUNT, Math.floor(max))) }
}

/** Steps to begin with. */
export function usualCount(limits: WorldLimits | undefined): number {
  return within(USUAL_COUNT, countRange(limits))
}

export function within(value: number, { min, max }: WholeRange): number {
  return Math.min(max, Math.max(min, value))
}

/** Values that a World takes at an output path; its manifest may name the end of the path alone. */
export function valueRangeAt(limits: WorldLimits | undefined, path: string): WholeRange | undefined {
  for (const [key, { min, max }] of Object.entries(limits?.connectorValues ?? {})) {
    const end = key.startsWith('/') ? key : `/${key}`
    const [low, high] = [Math.max(0, Math.ceil(min)), Math.floor(max)]
    if (path.endsWith(end) && low <= high) return { min: low, max: high }
  }
  return undefined
}

/** Number of values of a run that lie outside of what a World takes. */
export function countOutside(
  limits: WorldLimits | undefined,
  streams: readonly { readonly path: string; readonly data: readonly number[] }[],
): number {
  let outside = 0
  for (const { path, data } of streams) {
    const range = valueRangeAt(limits, path)
    if (range === undefined) continue
    for (const value of data) if (value < range.min || value > range.max) outside += 1
  }
  return outside
}
