import { z } from 'zod'
import { verifyContracts } from '../../../entities/contract-verification.ts'
import { Failure } from '../../../protocol/failure.ts'
import { defineOperation } from '../../http/operation.ts'

const answer = z.strictObject({
  verifiers: z.array(
    z.strictObject({
      name: z.string(),
      variable: z.string(),
      configured: z.boolean(),
      verdicts: z.array(
        z.strictObject({
          contract: z.string(),
          address: z.string(),
          match: z.string(),
          words: z.string(),
          at_ms: z.int(),
          fix: z.string().nullable(),
        }),
      ),
    }),
  ),
})

export const postContractVerification = defineOperation({
  api: 'studio',
  tag: 'contracts',
  auth: 'session',
  cors: 'session',
  id: 'POST_contractVerification',
  method: 'POST',
  path: '/contract-verification',
  limit: 'write',
  summary: 'Submit the contracts to the verifiers of sources',
  description: 'For administrators. The answers are kept, and shown on the status page.',
  request: {},
  responses: { 200: { description: 'The answers of all verifiers', schema: answer } },
  failures: {
    403: 'The caller is no administrator, or the request does not come from a page of this site',
    409: 'No verifier is set',
    503: 'The chain or the storage is unavailable',
  },
  handler: async (ctx) => {
    if (!ctx.session?.roles.includes('admin')) {
      throw new Failure('forbidden', 'Only administrators of this site submit its contracts')
    }
    const verifiers = await verifyContracts(ctx)
    return {
      status: 200,
      body: {
        verifiers: verifiers.map((verifier) => ({
          ...verifier,
          verdicts: verifier.verdicts.map(({ atMs, fix, ...verdict }) => ({
            ...verdict,
            at_ms: atMs,
            fix: fix ?? null,
          })),
        })),
      },
    }
  },
})
