import { z } from 'zod'
import { type Provenance, runOnChain } from '#lib/core/entities/execution/run-on-chain.ts'
import { particlesJson } from '#lib/protocol/particles.ts'
import { executeRequest, hashInput } from '../chain/request-schemas.ts'
import { executeResponse } from '../chain/response-schemas.ts'
import { studioOperation } from './studio-operation.ts'

/*
 * A run on chain for the site's own pages: at a block of their choice, with everything that it takes to repeat it.
 */

const chainRunRequest = z.strictObject({
  ...executeRequest.shape,
  /** The block to run at; absent for the newest that this server executes at. */
  block_hash: hashInput.optional(),
})

const provenance = z.strictObject({
  block_number: z.int().min(0),
  block_hash: z.string(),
  block_time_ms: z.int().min(0),
  chain_id: z.int().min(0),
  runner: z.string(),
  registry: z.string(),
})

const chainRunAnswer = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.enum(['block_gone', 'state_gone']) }),
  z.strictObject({ outcome: z.literal('unknown'), provenance }),
  z.strictObject({ outcome: z.literal('rejected'), provenance, message: z.string() }),
  z.strictObject({
    outcome: z.literal('particles'),
    provenance,
    particles: executeResponse.shape.particles,
  }),
])

export type ChainRunRequest = z.input<typeof chainRunRequest>
export type ChainRunAnswer = z.output<typeof chainRunAnswer>
export type ProvenanceWire = z.output<typeof provenance>

/** Room for 4096 overrides, however they are spaced. */
const MAX_BODY_BYTES = 1024 * 1024

export const postChainRun = studioOperation({
  id: 'POST_chainRun',
  path: '/execute',
  auth: 'none',
  limit: 'run',
  summary: 'Execute a published connector on chain, at a block',
  description:
    'What `/chain/execute` does, at a block of the caller’s choice and with the whole provenance. A rejection is an ' +
    'answer here: it has a block, too.',
  request: { body: chainRunRequest, maxBodyBytes: MAX_BODY_BYTES },
  responses: { 200: { description: 'The result', schema: chainRunAnswer } },
  failures: {
    400: 'Bad request',
    502: 'The chain returned a malformed result',
    503: 'No chain is configured, or its endpoint is unavailable',
  },
  handler: async (ctx, { body }) => {
    const run = await runOnChain(ctx, {
      connectorName: body.connector_name,
      particlesCount: body.particles_count,
      dynamicRi: body.dynamic_ri,
      at: body.block_hash,
    })
    if (run.outcome === 'block_gone' || run.outcome === 'state_gone') {
      return { body: { outcome: run.outcome } }
    }
    const provenance = provenanceWire(run.provenance)
    switch (run.outcome) {
      case 'unknown':
        return { body: { outcome: run.outcome, provenance } }
      case 'rejected':
        return { body: { outcome: run.outcome, provenance, message: run.message } }
      case 'particles': {
        const facts = JSON.stringify({ outcome: run.outcome, provenance })
        const json = particlesJson(run.particles, {
          before: `${facts.slice(0, -1)},"particles":`,
          after: '}',
        })
        return { json }
      }
    }
  },
})

function provenanceWire(provenance: Provenance): ProvenanceWire {
  return {
    block_number: provenance.blockNumber,
    block_hash: provenance.blockHash,
    block_time_ms: provenance.blockTimeMs,
    chain_id: provenance.chainId,
    runner: provenance.runner,
    registry: provenance.registry,
  }
}
