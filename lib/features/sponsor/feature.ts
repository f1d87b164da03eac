import type { Feature } from '../feature.ts'
import { postSponsoredPublication } from './operations.ts'
import { settlePending, settleSponsored } from './settle.ts'

export const sponsor: Feature = {
  name: 'sponsor',
  operations: [postSponsoredPublication.studio, postSponsoredPublication.services],
  jobs: [{ name: 'sponsor', run: settleSponsored, runDue: settlePending }],
}
