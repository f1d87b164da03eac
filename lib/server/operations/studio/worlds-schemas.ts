import { z } from 'zod'
import { MAX_REPORT_WORDS, REPORT_REASONS } from '../../../worlds/reports.ts'
import { entityName } from '../chain/request-schemas.ts'

const MAX_MANIFEST_CHARACTERS = 256 * 1024

/* Requests and responses for the pages around Worlds. */

export const worldIdParams = z.object({ id: z.string() })

export const reportRequest = z.strictObject({
  reason: z.enum(REPORT_REASONS, `expected ${REPORT_REASONS.join(', ')}`),
  words: z
    .string()
    .trim()
    .max(MAX_REPORT_WORDS, `expected at most ${MAX_REPORT_WORDS} characters`)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'expected plain text')
    .default(''),
})

function pair<T extends z.ZodType>(value: T) {
  return z.strictObject({ before: value, after: value })
}

export const comparisonAnswer = z.strictObject({
  version: pair(z.string()),
  bundle_hash: z.string(),
  same: z.boolean(),
  changes: z.array(
    z.strictObject({ path: z.string(), before: z.int().optional(), after: z.int().optional() }),
  ),
  unchanged: z.int(),
  size: pair(z.int()),
  permissions: z.strictObject({ gained: z.array(z.string()), lost: z.array(z.string()) }),
  fields: z.array(z.string()),
  warnings: z.array(z.string()),
  refusal: z.string().optional(),
})

/** Half an hour of a bundle that is not published. */
export const previewAnswer = z.strictObject({
  id: z.string(),
  version: z.string(),
  bundle_hash: z.string(),
  files: z.int(),
  bytes: z.int(),
  expires_at: z.string(),
  warnings: z.array(z.string()),
  refusal: z.string().optional(),
})

export const manifestRequest = z.strictObject({
  manifest: z.string().max(MAX_MANIFEST_CHARACTERS, `expected at most ${MAX_MANIFEST_CHARACTERS} characters`),
})

export const manifestAnswer = z.strictObject({
  problems: z.array(z.string()),
  warnings: z.array(z.string()),
  refusal: z.string().optional(),
})

export const startsParams = z.object({ name: entityName })

export const startsAnswer = z.strictObject({
  format_hash: z.string(),
  scalars: z.array(z.string()),
  more: z.boolean(),
  lines: z.array(
    z.strictObject({
      position: z.int(),
      path: z.string(),
      depth: z.int(),
      name: z.string(),
      leads_to: z.string(),
      start_point: z.int(),
      transformation_shift: z.int(),
      locked: z.boolean(),
    }),
  ),
})

export type ReportRequest = z.input<typeof reportRequest>
export type ComparisonAnswer = z.output<typeof comparisonAnswer>
export type StartsAnswer = z.output<typeof startsAnswer>
export type WorldPreviewAnswer = z.output<typeof previewAnswer>
export type ManifestAnswer = z.output<typeof manifestAnswer>
