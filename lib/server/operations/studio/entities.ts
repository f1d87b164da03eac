import { z } from 'zod'
import type { Context } from '#lib/core/context/context.ts'
import { findAuthorWords, findPieces } from '#lib/core/entities/author-words.ts'
import { firstShown } from '#lib/core/entities/first-shown.ts'
import { getEntity } from '#lib/core/entities/get-entity.ts'
import { definitionWire } from '#lib/protocol/definition-wire.ts'
import { ENTITY_KINDS } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { bareHash } from '#lib/protocol/hash.ts'
import { MAX_TITLES } from '#lib/protocol/names.ts'
import { entityName } from '../chain/request-schemas.ts'
import {
  conditionInfoResponse,
  connectorInfoResponse,
  transformationInfoResponse,
} from '../chain/response-schemas.ts'
import { entityWire } from '../chain/wire.ts'
import { studioOperation } from './studio-operation.ts'

const MAX_NAMES = 50

const entitiesRequest = z.strictObject({
  names: z.array(z.strictObject({ kind: z.enum(ENTITY_KINDS), name: entityName })).max(MAX_NAMES),
  /** Titles and presentations as published, in place of those that owners chose since. */
  as_published: z.boolean().optional(),
})

/** Beside what the chain API shows: which content a name stands for. */
const identity = { content_hash: z.string().regex(/^0x[a-f0-9]{64}$/) }

/** The body, where its author published it, and whether it compiles to what is published. */
const published = {
  source: z.strictObject({ text: z.string(), verified: z.boolean() }).nullable(),
  description: z.string().nullable(),
}

const entitiesAnswer = z.strictObject({
  connectors: z.array(
    connectorInfoResponse.extend({
      ...identity,
      title: z.string().nullable(),
      /** In the spelling of the author's words. */
      present: z.looseObject({}).nullable(),
    }),
  ),
  transformations: z.array(transformationInfoResponse.extend({ ...identity, ...published })),
  conditions: z.array(conditionInfoResponse.extend({ ...identity, ...published })),
})

export type EntitiesAnswer = z.output<typeof entitiesAnswer>

export const postEntities = studioOperation({
  id: 'POST_entities',
  path: '/entities',
  auth: 'none',
  limit: 'run',
  summary: 'Read entities by name',
  description:
    'Drafts and published entities as the chain API shows them, with their content hashes. Free names are left out.',
  request: { body: entitiesRequest },
  responses: { 200: { description: 'Those that exist, by kind', schema: entitiesAnswer } },
  failures: { 400: 'Bad request' },
  handler: async (ctx, { body }) => ({ body: await readEntityWires(ctx, body) }),
})

/** Returns entities as the studio knows them; names that cannot be read are left out. */
export async function readEntityWires(
  ctx: Context,
  body: z.output<typeof entitiesRequest>,
): Promise<EntitiesAnswer> {
  const answer: EntitiesAnswer = { connectors: [], transformations: [], conditions: [] }
  await Promise.all(
    body.names.map(async ({ kind, name }) => {
      try {
        if (kind === 'connector') {
          const [entity, words] = await Promise.all([
            getEntity(ctx, kind, name),
            findAuthorWords(ctx, kind, name, { asPublished: body.as_published }),
          ])
          answer.connectors.push({
            ...entityWire(entity),
            ...definitionWire(entity.definition),
            format_hash: bareHash(entity.formatHash),
            content_hash: entity.contentHash,
            title: words?.title ?? null,
            present: words?.present ? { ...words.present } : null,
          })
          return
        }
        const [entity, words] = await Promise.all([
          getEntity(ctx, kind, name),
          findAuthorWords(ctx, kind, name),
        ])
        const { argsCount, contentHash } = entity
        answer[`${kind}s`].push({
          ...entityWire(entity),
          args_count: argsCount,
          content_hash: contentHash,
          source:
            words?.source === undefined
              ? null
              : { text: words.source, verified: words.sourceState === 'verified' },
          description: words?.description ?? null,
        })
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'not_found')) throw error
      }
    }),
  )
  return answer
}

const titlesRequest = z.strictObject({ names: z.array(entityName).max(MAX_TITLES) })

const titlesAnswer = z.strictObject({
  pieces: z.array(z.strictObject({ name: z.string(), title: z.string() })),
})

export type TitlesAnswer = z.output<typeof titlesAnswer>

export const postTitles = studioOperation({
  id: 'POST_titles',
  path: '/titles',
  auth: 'none',
  summary: 'Read titles of pieces by name',
  description: 'As this site shows them. Names without a title are left out.',
  request: { body: titlesRequest },
  responses: { 200: { description: 'Those that have a title', schema: titlesAnswer } },
  failures: { 400: 'Bad request' },
  handler: async (ctx, { body }) => {
    const pieces = await findPieces(ctx, body.names)
    return {
      body: {
        pieces: [...pieces].flatMap(([name, { title }]) => (title === undefined ? [] : [{ name, title }])),
      },
    }
  },
})

const FIRST_SHOWN = 24

const firstShownAnswer = z.strictObject({
  entities: z.array(z.strictObject({ name: z.string(), because: z.enum(['featured', 'trending', 'new']) })),
})

export type FirstShownAnswer = z.output<typeof firstShownAnswer>

export const getFirstShown = studioOperation({
  id: 'GET_firstShown',
  path: '/first-shown/{kind}',
  auth: 'none',
  summary: 'List what is shown first of a kind',
  description:
    'Chosen by the operator, then used by several accounts this week, then new, one of each account in turn.',
  request: { params: z.object({ kind: z.enum(ENTITY_KINDS) }) },
  responses: { 200: { description: 'Published entities in order', schema: firstShownAnswer } },
  failures: { 400: 'Unknown kind' },
  handler: async (ctx, { params }) => {
    const entities = await firstShown(ctx, { kind: params.kind, limit: FIRST_SHOWN })
    return { body: { entities: entities.map(({ name, because }) => ({ name, because })) } }
  },
})
