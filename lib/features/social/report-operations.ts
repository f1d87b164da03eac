import { z } from 'zod'
import { pieceName } from '#lib/server/operations/studio/pieces.ts'
import { type ClientFacts, studioOperation } from '#lib/server/operations/studio/studio-operation.ts'
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

/** The same operation for the signed-in account and for visitors. */
function reportAs(client: ClientFacts) {
  return studioOperation({
    ...client,
    limit: 'write',
    request: { body: reportRequest },
    failures: {
      400: 'Bad request',
      404: 'There is no such World, entity or profile',
      429: 'Too many reports within a day',
    },
    handler: (ctx, { body }) => report(ctx, body),
  })
}

export const postReport = reportAs({
  id: 'POST_report',
  path: '/reports',
  summary: 'Report something as the signed-in account',
  description: 'A repeated report updates the open one.',
})

export const postVisitorReport = reportAs({
  id: 'POST_visitorReport',
  path: '/visitor-reports',
  auth: 'none',
  summary: 'Report something as a visitor',
  description: 'Visitors share a daily limit.',
})
