import type { Feature } from '../feature.ts'
import { settlePending, settleSponsored } from './settle.ts'

export const sponsor: Feature = {
  name: 'sponsor',
  jobs: [{ name: 'sponsor', run: settleSponsored, runDue: settlePending }],
}
