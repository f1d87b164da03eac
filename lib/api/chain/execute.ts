import { particlesJson } from '../../domain/particles-json.ts'
import { execute } from '../../execution/execute.ts'
import { defineOperation } from '../../http/operation.ts'
import { executeRequest, executeResponse } from './schemas.ts'

/** Room for 4096 overrides, however they are spaced. */
const MAX_BODY_BYTES = 1024 * 1024

export const postExecute = defineOperation({
  id: 'POST_execute',
  api: 'chain',
  method: 'POST',
  path: '/execute',
  tag: 'runner',
  summary: 'Execute a published connector on chain',
  description:
    'A read-only call of the runner contract: no transaction, no gas paid. The call is pinned to one block, so that ' +
    'anyone can check the answer by calling `generate` of the runner at that block.',
  auth: 'none',
  limit: 'run',
  request: { body: executeRequest, maxBodyBytes: MAX_BODY_BYTES },
  responses: { 200: { description: 'The particles and where they come from', schema: executeResponse } },
  failures: {
    400: 'Bad request, the runner rejected the run (for example `Execution rejected: Condition not met`), or its answer exceeds a limit of this server',
    404: 'The registry of the runner has no such connector',
    500: 'Response decoding error',
    502: 'The chain returned a malformed result',
    503: 'No chain is configured, or its endpoint is unavailable',
  },
  handler: async (ctx, { body }) => {
    const { blockNumber, blockHash, runner, particles } = await execute(ctx, {
      connectorName: body.connector_name,
      particlesCount: body.particles_count,
      dynamicRi: body.dynamic_ri,
    })
    const provenance = JSON.stringify({ block_number: blockNumber, block_hash: blockHash, runner })
    return {
      status: 200,
      json: particlesJson(particles, { before: `${provenance.slice(0, -1)},"particles":`, after: '}' }),
    }
  },
})
