import { z } from 'zod'
import { type Hit, SEARCH_KINDS } from '#lib/features/search/hit.ts'
import { search } from '#lib/features/search/search.ts'
import { bareAddress } from '#lib/protocol/address.ts'
import { defineOperation, type Operation, type ToolFacts } from '../http/operation.ts'
import { chainOperations } from '../operations/chain/index.ts'
import { shownOperations } from './shown-operations.ts'

/** An operation of the chain API under the name that agents call it by. */
export interface Tool extends ToolFacts {
  readonly operation: Operation
}

const DEFAULT_MOST = 10
const LIMIT_OF_MOST = 50

const hit = z.looseObject({
  kind: z.enum(SEARCH_KINDS),
  match: z.enum(['exact', 'beginning', 'part', 'alike']),
})

/** What the search page of the site does, for tools. */
const searchEverything = defineOperation({
  id: 'POST_search',
  api: 'chain',
  path: '/search',
  tag: 'core',
  summary: 'Search the network',
  description:
    'Finds connectors, transformations, conditions, formats (by the labels of their values), people and Worlds by name, ' +
    'part of a name, address or hash, misspelled ones too. The best of each kind come first.',
  tool: { name: 'search', effect: 'reads' },
  auth: 'none',
  limit: 'search',
  request: {
    body: z.strictObject({
      text: z
        .string()
        .meta({ description: 'Search text; only the first 128 characters are used.', example: 'pitch' }),
      kinds: z.array(z.enum(SEARCH_KINDS)).max(SEARCH_KINDS.length).optional().describe('All by default.'),
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
    const found = await search(ctx, { text, most, ...(kinds !== undefined && { kinds }) })
    return { body: { text: found.text, hits: [...found.hits.values()].flat().map(wire) } }
  },
})

/** Spelled as the chain API spells it. */
function wire(found: Hit) {
  if (found.kind === 'person') return { ...found, address: bareAddress(found.address) }
  if (found.kind !== 'format') return { ...found, owner: bareAddress(found.owner) }
  const { formatHash, ...rest } = found
  return { ...rest, format_hash: formatHash.slice(2) }
}

/** The search, every operation that states a tool, and what is shown. */
export const TOOLS: readonly Tool[] = [searchEverything, ...chainOperations, ...shownOperations].flatMap(
  (operation) => (operation.tool === undefined ? [] : [{ ...operation.tool, operation }]),
)
