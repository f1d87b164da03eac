import { z } from 'zod'
import { simulate } from '../../entities/simulate.ts'
import { defineOperation, type Operation, type ToolFacts } from '../http/operation.ts'
import { executeRequest } from '../operations/chain/request-schemas.ts'
import { particlesResult } from '../operations/chain/response-schemas.ts'
import { postSimulate } from '../operations/chain/run.ts'
import { getWorld, getWorlds } from '../operations/services/worlds.ts'
import { postExplain } from '../operations/studio/preview.ts'
import { explainRequest } from '../operations/studio/preview-schemas.ts'
import { planRequest, postPublicationPlan } from '../operations/studio/publication.ts'

/* Operations for agents that are none of the chain API: results that hosts show, and what the site's pages can do. */

const MAX_RUNS = 4
/** Of each run that is compared; a view draws fewer. */
const MAX_STREAMS = 64

const compareRuns = defineOperation({
  id: 'POST_compareRuns',
  api: 'chain',
  method: 'POST',
  path: '/compare-runs',
  tag: 'runner',
  summary: 'Compare runs',
  description: 'Simulates two to four runs and shows their values above each other, and how many differ.',
  tool: { name: 'compare_runs', effect: 'reads', shows: true },
  auth: 'none',
  limit: 'run',
  request: { body: z.strictObject({ runs: z.array(executeRequest).min(2).max(MAX_RUNS) }) },
  responses: {
    200: {
      description: 'The runs in the same order',
      schema: z.strictObject({
        runs: z.array(z.strictObject({ connector_name: z.string(), particles: particlesResult })),
      }),
    },
  },
  failures: { 400: 'Invalid request, or a run was rejected', 404: 'Connector not found' },
  handler: async (ctx, { body }) => {
    const runs = []
    // One after another: a comparison takes no more of the server at a time than a run.
    for (const { connector_name, particles_count, dynamic_ri } of body.runs) {
      const input = { connectorName: connector_name, particlesCount: particles_count, dynamicRi: dynamic_ri }
      const { particles } = await simulate(ctx, input, MAX_STREAMS)
      runs.push({ connector_name, particles: particles.map(({ path, data }) => ({ path, data: [...data] })) })
    }
    return { status: 200, body: { runs } }
  },
})

/** What the site's pages do with an unsaved document, for what is stored. */
function ofStored(operation: Operation, body: z.ZodObject, tool: ToolFacts): Operation {
  return {
    ...forAgents(operation, tool),
    request: { body },
    handler: (ctx, input) => {
      return operation.handler(ctx, {
        ...input,
        body: { connectors: [], bodies: [], ...(input.body as object) },
      })
    },
  }
}

/** An operation of another API as one of this endpoint: open to all, with failures that have a sentence. */
function forAgents(operation: Operation, tool: ToolFacts): Operation {
  return { ...operation, api: 'chain', tag: 'core', cors: 'public', errors: 'message', tool }
}

const DOCUMENT = { connectors: true, bodies: true } as const

export const shownOperations: readonly Operation[] = [
  {
    ...forAgents(postSimulate, {
      name: 'show_run',
      effect: 'reads',
      shows: true,
      advice:
        'Use it when your user should see the numbers as pictures, and `simulate` when only you need them.',
    }),
    id: 'POST_showRun',
    path: '/show-run',
    summary: 'Show a run',
  },
  compareRuns,
  {
    ...ofStored(postPublicationPlan, planRequest.omit(DOCUMENT), {
      name: 'publish_plan',
      effect: 'reads',
      shows: true,
      advice:
        'Show it before `prepare_publication`, so that your user sees what would be published for ever.',
    }),
    summary: 'Show a publication plan',
    description:
      'What would be published for a draft, in order, with what is published already and the cost. Nothing is sent.',
  },
  ofStored(postExplain, explainRequest.omit(DOCUMENT), { name: 'explain_value', effect: 'reads' }),
  forAgents(getWorlds, { name: 'list_worlds', effect: 'reads' }),
  { ...forAgents(getWorld, { name: 'show_world', effect: 'reads', shows: true }), summary: 'Show a World' },
]
