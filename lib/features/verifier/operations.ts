import { Failure } from '#lib/protocol/failure.ts'
import { studioOperation } from '#lib/server/operations/studio/studio-operation.ts'
import { verifyContracts } from './contract-verification.ts'

export const postContractVerification = studioOperation({
  id: 'POST_contractVerification',
  path: '/contract-verification',
  limit: 'write',
  summary: 'Submit the sources of the contracts to Sourcify',
  description: 'For administrators. The answers are kept, and shown on the status page.',
  failures: {
    403: 'The caller is no administrator, or the request does not come from a page of this site',
    409: 'No Sourcify server is set',
    503: 'The chain or the storage is unavailable',
  },
  handler: async (ctx) => {
    if (!ctx.session?.roles.includes('admin')) {
      throw new Failure('forbidden', 'Only administrators of this site submit its contracts')
    }
    await verifyContracts(ctx)
    return { status: 204 }
  },
})
