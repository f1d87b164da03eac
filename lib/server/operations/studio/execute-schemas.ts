import { z } from 'zod'
import { executeRequest, hashInput } from '../chain/request-schemas.ts'
import { executeResponse } from '../chain/response-schemas.ts'

/*
 * A run on chain for the site's own pages: at a block of their choice, with everything that it takes to repeat it.
 */

export const chainRunRequest = z.strictObject({
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

export const chainRunAnswer = z.discriminatedUnion('outcome', [
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
