import type { Context } from '#lib/core/context/context.ts'
import { execute } from '#lib/core/entities/execution/run-on-chain.ts'
import { simulateJson } from '#lib/core/entities/simulate.ts'
import { particlesJson } from '#lib/protocol/particles.ts'
import { defineOperation } from '../../http/operation.ts'
import { executeRequest } from './request-schemas.ts'
import { executeResponse, particlesResult } from './response-schemas.ts'

/* The two ways to run a connector. */

/** Enough for 4096 overrides, whatever their white space. */
export const MAX_RUN_BYTES = 1024 * 1024

const shared = {
  api: 'chain',
  tag: 'runner',
  auth: 'none',
  limit: 'run',
  request: { body: executeRequest, maxBodyBytes: MAX_RUN_BYTES },
} as const

function runInput(body: typeof executeRequest._zod.output) {
  return {
    connectorName: body.connector_name,
    particlesCount: body.particles_count,
    dynamicRi: body.dynamic_ri,
  }
}

const SIMULATE =
  'Runs a draft or published connector in the local EVM of this server, with the meaning it has on chain. A ' +
  'published connector shadows a draft of its name. Code that reads the block finds the newest one; what only the ' +
  'chain knows, such as other contracts, is a 400 that names it. The result carries no provenance: '
export const SIMULATE_FOR_AGENTS = `${SIMULATE}that of a run on chain does.`

export const postSimulate = defineOperation({
  ...shared,
  id: 'POST_simulate',
  path: '/simulate',
  summary: 'Simulate a connector',
  description: `${SIMULATE}\`/execute\` does.`,
  tool: {
    name: 'simulate',
    effect: 'reads',
    description: SIMULATE_FOR_AGENTS,
    advice: 'Request few particles: 8 to 64 are enough for most connectors.',
  },
  responses: { 200: { description: 'One item for each path', schema: particlesResult } },
  failures: {
    400: 'Bad request, the run was rejected (for example `Execution rejected: Condition not met`), or it exceeds a limit of this server',
    404: 'Connector not found',
    500: 'The local EVM failed',
    503: 'A published connector, or a part of it, cannot be rebuilt yet; code reads the block, and the chain does not answer; or too many runs are waiting',
  },
  handler: async (ctx, { body }) => {
    const json = await simulateJson(ctx, runInput(body))
    return { json }
  },
})

export const postExecute = defineOperation({
  ...shared,
  id: 'POST_execute',
  path: '/execute',
  summary: 'Execute a published connector on chain',
  description:
    'A read-only call of the runner contract: no transaction, no gas paid. The call is pinned to one block, so that ' +
    'anyone can check the answer by calling `generate` of the runner at that block.',
  tool: { name: 'execute', effect: 'reads' },
  responses: { 200: { description: 'The particles and where they come from', schema: executeResponse } },
  failures: {
    400: 'Bad request, the runner rejected the run (for example `Execution rejected: Condition not met`), or its answer exceeds a limit of this server',
    404: 'The registry of the runner has no such connector',
    500: 'Response decoding error',
    502: 'The chain returned a malformed result',
    503: 'No chain is configured, or its endpoint is unavailable',
  },
  handler: async (ctx, { body }) => ({ json: await executeJson(ctx, body) }),
})

/** JSON of a run on chain. @param withRegistry Adds the registry that the runner read. */
export async function executeJson(
  ctx: Context,
  body: typeof executeRequest._zod.output,
  withRegistry = false,
): Promise<Uint8Array<ArrayBuffer>> {
  const { blockNumber, blockHash, runner, registry, particles } = await execute(ctx, runInput(body))
  const provenance = JSON.stringify({
    block_number: blockNumber,
    block_hash: blockHash,
    runner,
    ...(withRegistry && { registry }),
  })
  return particlesJson(particles, { before: `${provenance.slice(0, -1)},"particles":`, after: '}' })
}
