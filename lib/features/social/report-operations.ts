import { z } from 'zod'
import { studioOperation } from '#lib/server/operations/studio/studio-operation.ts'
import { pieceName } from './mark-operations.ts'
import { MAX_REPORT_WORDS, REPORT_REASONS, REPORTED_KINDS, report } from './reports.ts'

const reportRequest = z.strictObject({
  kind: z.enum(REPORTED_KINDS),
  name: pieceName,
  reason: z.enum(REPORT_REASONS, `expected ${REPORT_REASONS.join(', ')}`),
  words: z
    .string()
    .trim()
    .max(MAX_REPORT_WORDS, `expected at most ${MAX_REPORT_WORDS} characters`)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'expected plain text')
    .default(''),
})

export type ReportRequest = z.input<typeof reportRequest>

export const postReport = studioOperation({
  id: 'POST_report',
  path: '/reports',
  auth: 'optional',
  summary: 'Report something',
  description: 'A repeated report of an account updates its open one. Visitors share a daily limit.',
  limit: 'write',
  request: { body: reportRequest },
  failures: {
    400: 'Bad request',
    404: 'There is no such World, entity or profile',
    429: 'Too many reports within a day',
  },
  handler: (ctx, { body }) => report(ctx, body),
})
