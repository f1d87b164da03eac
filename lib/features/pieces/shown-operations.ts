import { z } from 'zod'
import { parseAuthorMetadata } from '#lib/protocol/author-metadata.ts'
import { defineOperation } from '#lib/server/http/operation.ts'
import { encodeWords } from '#lib/server/operations/studio/author-words.ts'
import { sharedOperation } from '#lib/server/operations/studio/studio-operation.ts'
import { putShownPiece, readShownPiece, removeShownPiece } from './shown.ts'

const params = z.object({
  name: z.string().meta({ description: 'Name of a published connector.', example: 'weave' }),
})

const failures = { 403: 'Not its owner', 404: 'No published connector of this name' }

const shownRequest = z.strictObject({
  title: z.string().optional().meta({ description: 'Absent for none.', example: 'First light' }),
  present: z
    .looseObject({})
    .optional()
    .meta({
      description: 'The presentation as in the words of an author; absent for none, so that all is guessed.',
      example: { particles: 64, tempo: 368, loop: true },
    }),
})

const shownResponse = z.strictObject({
  title: z.string().nullable(),
  present: z
    .looseObject({})
    .nullable()
    .meta({ description: 'Null for none: all is guessed from the values.' }),
  changed: z
    .boolean()
    .meta({ description: 'Whether the owner changed it on this site since it was published.' }),
})

export const getPiecePresentation = defineOperation({
  id: 'GET_piecePresentation',
  api: 'services',
  path: '/pieces/{name}/presentation',
  tag: 'pieces',
  summary: 'Read how a piece is shown',
  description:
    "Title and presentation as the page of the piece has them: those of the author's words, or what its owner chose for this site since.",
  auth: 'none',
  cache: 'no-cache',
  errors: 'text',
  addition: true,
  request: { params, invalidParams: 'not_found' },
  responses: { 200: { description: 'Title and presentation', schema: shownResponse } },
  failures: { 404: 'No published connector of this name, or it is hidden' },
  example: {
    response: { title: 'First light', present: { particles: 64, tempo: 368, loop: true }, changed: false },
  },
  handler: async (ctx, { params: { name } }) => {
    const { title, present, isChanged } = await readShownPiece(ctx, name)
    return {
      body: { title: title ?? null, present: present ? { ...present } : null, changed: isChanged ?? false },
    }
  },
})

export const putPiecePresentation = sharedOperation({
  id: 'PUT_piecePresentation',
  tag: 'pieces',
  path: '/pieces/{name}/presentation',
  summary: 'Change how a piece is shown',
  description:
    'For the owner of the connector. Title and presentation take the place of those that were published with it, on this ' +
    'site: on its page, in lists, search, players and remixes. Both follow the rules of `title` and `present` of the ' +
    "author's words, and at least one of them is there. What the chain has stays as it is: the page shows it with `?as=published`, " +
    'and the file of the piece has it for ever.',
  limit: 'write',
  request: { params, invalidParams: 'not_found', body: shownRequest },
  example: { request: { title: 'First light', present: { particles: 64, tempo: 368, loop: true } } },
  failures: { 400: 'A title or presentation that breaks a rule, or neither', ...failures },
  handler: async (ctx, { params: { name }, body }) => {
    const { title, present } = parseAuthorMetadata(encodeWords('connector', body)) ?? {}
    await putShownPiece(ctx, { name, title, present })
  },
})

export const deletePiecePresentation = sharedOperation({
  id: 'DELETE_piecePresentation',
  tag: 'pieces',
  path: '/pieces/{name}/presentation',
  summary: 'Show a piece as it was published',
  description:
    'For the owner of the connector. Its title and presentation are those of its words on chain again.',
  limit: 'write',
  request: { params, invalidParams: 'not_found' },
  failures,
  handler: (ctx, { params: { name } }) => removeShownPiece(ctx, name),
})
