'use client'

import { useEffect, useState } from 'react'
import { ChainHeads, type Heads } from '../../../../lib/ui/chain-heads.tsx'

const LOOK_MS = 2500

/** The picture of where the feed stands, kept up to date while somebody can see it. */
export function LiveHeads({ heads: delivered }: { heads: Heads }) {
  const [heads, setHeads] = useState(delivered)
  useEffect(() => {
    const look = async () => {
      if (document.visibilityState === 'hidden') return
      try {
        const response = await fetch('/status.json', { headers: { accept: 'application/json' } })
        const { feed } = (await response.json()) as { feed?: Heads | null }
        if (feed) setHeads(feed)
      } catch {
        // The last picture stays; the bar of the list says that the site does not answer.
      }
    }
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  return <ChainHeads heads={heads} />
}
