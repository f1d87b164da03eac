'use client'

import { ChainHeads, type Heads } from '../../../../lib/ui/chain-heads.tsx'
import { useChainStatus } from './use-chain-status.ts'

/** The picture of where the feed stands, kept up to date. */
export function LiveHeads({ heads }: { heads: Heads }) {
  const status = useChainStatus()
  return <ChainHeads heads={status?.feed ?? heads} />
}
