import type { WorldLimits } from '#lib/protocol/world-manifest.ts'
import { type Fields, isFields } from './envelope.ts'
import type { DynamicRi, FeedOptions, PageOptions, RunningInstance } from './protocol.ts'

/** Arguments that are not what the method takes; the message goes to the World. */
export class BadArguments extends Error {
  override readonly name = 'BadArguments'
}

const MAX_PARTICLES = 65_536
const MAX_PAGE = 100
const DEFAULT_PAGE = 50
const MAX_OVERRIDES = 100
const MAX_TEXT = 512
const UINT32_MAX = 4_294_967_295

/** @throws BadArguments */
export function nameArgument(params: Fields, field = 'name'): string {
  const name = text(params[field], field)
  // Names of folders would lead elsewhere in a URL.
  if (name.trim() === '' || name === '.' || name === '..') throw new BadArguments(`${field} is no name`)
  return name
}

/** @throws BadArguments */
export function hashArgument(params: Fields): string {
  const { hash } = params
  if (typeof hash === 'string' && /^(?:0[xX])?[0-9a-fA-F]{64}$/.test(hash)) return hash
  throw new BadArguments('hash must be 64 hexadecimal digits')
}

/** @throws BadArguments */
export function pageArguments(params: Fields): PageOptions & { readonly limit: number } {
  const { limit, after } = params
  return {
    limit: pageSize(limit),
    ...(after !== undefined && after !== null && { after: text(after, 'after') }),
  }
}

/** @throws BadArguments */
export function feedArguments(params: Fields): FeedOptions & { readonly limit: number } {
  const { limit, before, type, includeUnfinalized } = params
  if (includeUnfinalized !== undefined && typeof includeUnfinalized !== 'boolean') {
    throw new BadArguments('includeUnfinalized must be true or false')
  }
  return {
    limit: pageSize(limit),
    ...(before !== undefined && before !== null && { before: text(before, 'before') }),
    ...(type !== undefined && { type: text(type, 'type') }),
    ...(includeUnfinalized !== undefined && { includeUnfinalized }),
  }
}

/** @throws BadArguments */
export function runArguments(
  params: Fields,
  limits: WorldLimits | undefined,
): readonly [name: string, count: number, dynamicRi: DynamicRi | undefined] {
  return [
    nameArgument(params, 'connectorName'),
    particlesCount(params.particlesCount, limits?.particlesCount),
    params.dynamicRi === undefined || params.dynamicRi === null ? undefined : overrides(params.dynamicRi),
  ]
}

function particlesCount(value: unknown, range: WorldLimits['particlesCount']): number {
  const count = typeof value === 'string' && /^(?:0|[1-9]\d{0,5})$/.test(value) ? Number(value) : value
  if (!isInteger(count, 0, MAX_PARTICLES)) {
    throw new BadArguments(`particlesCount must be an integer up to ${MAX_PARTICLES}`)
  }
  if (range && (count < range.min || count > range.max)) {
    throw new BadArguments(
      `particlesCount must be from ${range.min} to ${range.max}, as the World's manifest says`,
    )
  }
  return count
}

function overrides(value: unknown): DynamicRi {
  if (!isFields(value)) throw new BadArguments('dynamicRi must be an object')
  const positions = Object.keys(value)
  if (positions.length > MAX_OVERRIDES) {
    throw new BadArguments(`dynamicRi may have at most ${MAX_OVERRIDES} entries`)
  }
  return Object.fromEntries(positions.map((position) => [position, override(position, value[position])]))
}

function override(position: string, value: unknown): RunningInstance {
  if (!/^(?:0|[1-9]\d{0,9})$/.test(position) || Number(position) > UINT32_MAX) {
    throw new BadArguments('keys of dynamicRi must be decimals up to 4294967295')
  }
  if (!isFields(value)) throw new BadArguments(`dynamicRi.${position} must be an object`)
  const { start_point, transformation_shift } = value
  if (!isInteger(start_point, 0, UINT32_MAX) || !isInteger(transformation_shift, 0, UINT32_MAX)) {
    throw new BadArguments(
      `dynamicRi.${position} must have start_point and transformation_shift, integers up to ${UINT32_MAX}`,
    )
  }
  return { start_point, transformation_shift }
}

function pageSize(value: unknown): number {
  if (value === undefined) return DEFAULT_PAGE
  if (!isInteger(value, 1, MAX_PAGE)) throw new BadArguments(`limit must be an integer from 1 to ${MAX_PAGE}`)
  return value
}

function text(value: unknown, field: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= MAX_TEXT && value.isWellFormed())
    return value
  throw new BadArguments(`${field} must be a text of 1 to ${MAX_TEXT} characters`)
}

function isInteger(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
}
