import { z } from 'zod'
import { quote, unknownFields } from './json.ts'

/*
 * Schemas for what clients spell in more than one way. Each parses to one JavaScript form and documents its own
 * wire form, because the transforms themselves cannot be drawn in OpenAPI.
 */

export const UINT32_MAX = 4_294_967_295
const INT32_MIN = -2_147_483_648
const INT32_MAX = 2_147_483_647

const CANONICAL_INTEGER = /^(0|-?[1-9][0-9]*)$/

/**
 * An integer as a JSON number (also `7.0`, `1e2`) or as a canonical decimal string.
 *
 * @param wire How the reference page shows it, where that is not simply the integer.
 */
function integerInput(min: number, max: number, wire?: Record<string, unknown>) {
  const expected = `expected an integer from ${min} to ${max}`
  return z
    .unknown()
    .transform((value, ctx): number => {
      const number =
        typeof value === 'string' && value.length <= 11 && CANONICAL_INTEGER.test(value)
          ? Number(value)
          : value
      if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) {
        // -0 is a JSON integer too, and would be another value to a hash.
        return number + 0
      }
      ctx.addIssue({ code: 'custom', message: expected })
      return z.NEVER
    })
    .meta({
      override: wire ?? {
        type: 'integer',
        ...(min >= INT32_MIN && max <= INT32_MAX ? { format: 'int32' } : { format: 'int64' }),
        minimum: min,
        maximum: max,
      },
    })
}

/** 0..4294967295. */
export const uint32Input = integerInput(0, UINT32_MAX)

/** -2147483648..2147483647. */
export const int32Input = integerInput(INT32_MIN, INT32_MAX)

/** 1..65536, documented as integer or string because clients of either kind exist. */
export const particlesCountInput = integerInput(1, 65_536, {
  description: 'Number of steps to generate, 1 to 65536; an integer or its decimal string.',
  oneOf: [
    { type: 'integer', format: 'int32', minimum: 1, maximum: 65_536 },
    { type: 'string', pattern: '^[1-9][0-9]*$' },
  ],
  example: 12,
})

/** Text that `parse` accepts, in the form it returns. */
export function parsedText<T>(parse: (text: string) => T | undefined, expected: string) {
  return z.string(`expected ${expected}`).transform((text, ctx): T => {
    const value = parse(text)
    if (value !== undefined) return value
    ctx.addIssue({ code: 'custom', message: `expected ${expected}` })
    return z.NEVER
  })
}

/** Page size of a list, `1`..`256`, required. */
export const limitQuery = parsedText((text) => {
  const limit = /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : 0
  return limit >= 1 && limit <= 256 ? limit : undefined
}, 'an integer from 1 to 256').meta({
  description: 'Largest number of entries in the answer.',
  override: { type: 'integer', format: 'int32', minimum: 1, maximum: 256 },
  example: 50,
})

/**
 * A JSON object whose keys are canonical decimals of a uint32 (`0`, `7`, never `07`), as pairs ascending by key.
 *
 * @param maxEntries Refuses more.
 */
export function decimalKeyMap<V extends z.ZodType>(values: V, maxEntries: number) {
  return z.unknown().transform((map, ctx): (readonly [number, z.output<V>])[] => {
    if (!isObject(map)) {
      ctx.addIssue({ code: 'custom', message: 'expected an object' })
      return z.NEVER
    }
    const keys = Object.keys(map)
    if (keys.length > maxEntries) {
      ctx.addIssue({ code: 'custom', message: `expected at most ${maxEntries} entries` })
      return z.NEVER
    }
    const pairs: (readonly [number, z.output<V>])[] = []
    for (const key of keys) {
      const number = decimalKey(key)
      if (number === undefined) {
        ctx.addIssue({
          code: 'custom',
          message: `key ${quote(key)} is not a decimal from 0 to ${UINT32_MAX} without leading zeros`,
        })
        return z.NEVER
      }
      const value = values.safeParse(map[key])
      if (!value.success) {
        for (const issue of value.error.issues) {
          // Unknown fields alone would not stop what is chained to this schema.
          const stopping =
            issue.code === 'unrecognized_keys'
              ? { code: 'custom' as const, message: unknownFields(issue.keys) }
              : issue
          ctx.addIssue({ ...stopping, path: [key, ...issue.path] })
        }
        return z.NEVER
      }
      pairs.push([number, value.data])
    }
    return pairs.toSorted(([a], [b]) => a - b)
  })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function decimalKey(key: string): number | undefined {
  if (key.length > 10 || !/^(0|[1-9][0-9]*)$/.test(key)) return undefined
  const number = Number(key)
  return number <= UINT32_MAX ? number : undefined
}
