import { defineOperation } from '../../http/operation.ts'
import { simulateJson } from '../../registry/simulate.ts'
import { executeRequest, particlesResult } from './schemas.ts'

/** Room for 4096 overrides, however they are spaced. */
const MAX_BODY_BYTES = 1024 * 1024

export const postSimulate = defineOperation({
  id: 'POST_simulate',
  api: 'chain',
  method: 'POST',
  path: '/simulate',
  tag: 'runner',
  summary: 'Simulate a connector',
  description:
    'Runs a draft or published connector in the local EVM of this server, with the meaning it has on chain. A ' +
    'published connector shadows a draft of its name. Code that reads the block finds the newest one; what only the ' +
    'chain knows, such as other contracts, is a 400 that names it. The result carries no provenance: `/execute` does.',
  auth: 'none',
  limit: 'run',
  request: { body: executeRequest, maxBodyBytes: MAX_BODY_BYTES },
  responses: { 200: { description: 'One item for each path', schema: particlesResult } },
  failures: {
    400: 'Bad request, the run was rejected (for example `Execution rejected: Condition not met`), or it exceeds a limit of this server',
    404: 'Connector not found',
    500: 'The local EVM failed',
    503: 'A published connector, or a part of it, cannot be rebuilt yet; code reads the block, and the chain does not answer; or too many runs are waiting',
  },
  handler: async (ctx, { body }) => {
    const json = await simulateJson(ctx, {
      connectorName: body.connector_name,
      particlesCount: body.particles_count,
      dynamicRi: body.dynamic_ri,
    })
    return { status: 200, json }
  },
})
