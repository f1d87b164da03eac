import { type Provenance, runOnChain } from '../../../entities/execution/run-on-chain.ts'
import { particlesJson } from '../../../protocol/particles.ts'
import { defineOperation } from '../../http/operation.ts'
import { chainRunAnswer, chainRunRequest, type ProvenanceWire } from './execute-schemas.ts'

/** Room for 4096 overrides, however they are spaced. */
const MAX_BODY_BYTES = 1024 * 1024

export const postChainRun = defineOperation({
  id: 'POST_chainRun',
  api: 'studio',
  method: 'POST',
  path: '/execute',
  tag: 'runner',
  auth: 'none',
  limit: 'run',
  cors: 'session',
  summary: 'Execute a published connector on chain, at a block',
  description:
    'What `/chain/execute` does, at a block of the caller’s choice and with the whole provenance. A rejection is an ' +
    'answer here: it has a block, too.',
  request: { body: chainRunRequest, maxBodyBytes: MAX_BODY_BYTES },
  responses: { 200: { description: 'The result', schema: chainRunAnswer } },
  failures: {
    400: 'Bad request',
    403: 'The request does not come from a page of this site',
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
      return { status: 200, body: { outcome: run.outcome } }
    }
    const provenance = provenanceWire(run.provenance)
    switch (run.outcome) {
      case 'unknown':
        return { status: 200, body: { outcome: run.outcome, provenance } }
      case 'rejected':
        return { status: 200, body: { outcome: run.outcome, provenance, message: run.message } }
      case 'particles': {
        const facts = JSON.stringify({ outcome: run.outcome, provenance })
        const json = particlesJson(run.particles, {
          before: `${facts.slice(0, -1)},"particles":`,
          after: '}',
        })
        return { status: 200, json }
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
