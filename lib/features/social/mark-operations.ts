import { z } from 'zod'
import { PIECE_KINDS } from '#lib/protocol/piece.ts'
import { studioOperation } from '#lib/server/operations/studio/studio-operation.ts'
import { MARKS, marksOn, savedPieces, setMark } from './marks.ts'
import { countPlay, PLAYED_KINDS } from './plays.ts'

/** Name of an entity, or id of a World. */
export const pieceName = z
  .string()
  .min(1)
  .max(256)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'expected a name or an id')

const pieceParams = z.object({ kind: z.enum([...PIECE_KINDS, 'format']), name: pieceName })
const markRequest = pieceParams.extend({ mark: z.enum(MARKS), on: z.boolean() }).strict()
const marksAnswer = z.strictObject({ marks: z.array(z.enum(MARKS)) })
const savedAnswer = z.strictObject({ names: z.array(z.string()) })
const playRequest = z.strictObject({ kind: z.enum(PLAYED_KINDS), name: pieceName })

export type MarkRequest = z.input<typeof markRequest>
export type MarksAnswer = z.output<typeof marksAnswer>
export type SavedAnswer = z.output<typeof savedAnswer>
export type PlayRequest = z.input<typeof playRequest>

export const getMarks = studioOperation({
  id: 'GET_marks',
  path: '/marks/{kind}/{name}',
  auth: 'optional',
  summary: 'Read the marks of the signed-in account on a piece or a format',
  description: 'Empty for what it has not marked, and for visitors.',
  request: { params: pieceParams },
  responses: { 200: { description: 'The marks', schema: marksAnswer } },
  failures: { 400: 'Unknown kind' },
  handler: async (ctx, { params }) => ({ body: { marks: [...(await marksOn(ctx, params))] } }),
})

export const postMark = studioOperation({
  id: 'POST_mark',
  path: '/marks',
  limit: 'write',
  summary: 'Set or remove a mark of the signed-in account',
  description: 'Idempotent.',
  request: { body: markRequest },
  failures: {
    400: 'Bad request',
    404: 'Not published',
    429: 'As many as an account may have',
  },
  handler: (ctx, { body }) => setMark(ctx, body),
})

/** Names that a picker shows first. */
const SAVED_SHOWN = 100

export const getSaved = studioOperation({
  id: 'GET_saved',
  path: '/saved/{kind}',
  auth: 'optional',
  summary: 'List what the signed-in account saved of a kind',
  description: 'The names that are published, the one saved last first, at most 100. Empty for visitors.',
  request: { params: z.object({ kind: z.enum(PIECE_KINDS) }) },
  responses: { 200: { description: 'Names of entities, or ids of Worlds', schema: savedAnswer } },
  failures: { 400: 'Unknown kind' },
  handler: async (ctx, { params }) => {
    const account = ctx.session?.address
    if (account === undefined) return { body: { names: [] } }
    const pieces = await savedPieces(ctx, { account, kind: params.kind, limit: SAVED_SHOWN })
    return { body: { names: pieces.map(({ name }) => name) } }
  },
})

export const postPlay = studioOperation({
  id: 'POST_play',
  path: '/plays',
  auth: 'none',
  limit: 'write',
  summary: 'Count a play of a piece',
  description: 'Once for each client address and day; the answer does not say whether it counted.',
  request: { body: playRequest },
  failures: { 400: 'Bad request' },
  handler: (ctx, { body }) => countPlay(ctx, body),
})
