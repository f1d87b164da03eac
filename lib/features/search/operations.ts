import { z } from 'zod'
import { bareAddress } from '#lib/protocol/address.ts'
import { LISTED_KINDS } from '#lib/protocol/listed-kind.ts'
import { defineOperation } from '#lib/server/http/operation.ts'
import type { Hit } from './hit.ts'
import { search } from './search.ts'

const DEFAULT_MOST = 10
const LIMIT_OF_MOST = 50

const hit = z.looseObject({
  kind: z.enum(LISTED_KINDS),
  match: z.enum(['exact', 'beginning', 'part', 'alike']),
})

/** Search of the site, for agents. */
export const searchEverything = defineOperation({
  id: 'POST_search',
  api: 'chain',
  path: '/search',
  tag: 'core',
  summary: 'Search the network',
  description:
    'Finds connectors (by title too), transformations, conditions, formats (by the labels of their values), people and ' +
    'Worlds by name, words of their descriptions, part of a name, address or hash, misspelled ones too. The best of each kind come first.',
  tool: { name: 'search', effect: 'reads' },
  auth: 'none',
  limit: 'search',
  request: {
    body: z.strictObject({
      text: z
        .string()
        .meta({ description: 'Search text; only the first 128 characters are used.', example: 'pitch' }),
      kinds: z.array(z.enum(LISTED_KINDS)).max(LISTED_KINDS.length).optional().describe('All by default.'),
      most: z
        .int()
        .min(1)
        .max(LIMIT_OF_MOST)
        .default(DEFAULT_MOST)
        .describe(`Hits of each kind, at most; ${DEFAULT_MOST} by default.`),
    }),
  },
  responses: {
    200: {
      description: 'The hits, by kind, the best of each first',
      schema: z.strictObject({ text: z.string(), hits: z.array(hit) }),
    },
  },
  failures: { 400: 'Invalid request' },
  handler: async (ctx, { body: { text, kinds, most } }) => {
    const result = await search(ctx, { text, most, ...(kinds !== undefined && { kinds }) })
    return { body: { text: result.text, hits: [...result.hits.values()].flat().map(wire) } }
  },
})

/** Spelled as the chain API spells it. */
function wire(match: Hit) {
  if (match.kind === 'person') return { ...match, address: bareAddress(match.address) }
  if (match.kind !== 'format') return { ...match, owner: bareAddress(match.owner) }
  const { formatHash, ...rest } = match
  return { ...rest, format_hash: formatHash.slice(2) }
}
