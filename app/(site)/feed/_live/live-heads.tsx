'use client'

import { ChainHeads, type Heads } from '#lib/ui/components/chain-heads.tsx'
import { useChainStatus } from './use-chain-status.ts'

/** The chain heads, updated live. */
export function LiveHeads({ heads }: { heads: Heads }) {
  const status = useChainStatus()
  return <ChainHeads heads={status?.feed ?? heads} />
}
