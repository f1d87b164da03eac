import { chainUnavailable } from '../../chain/provider.ts'
import type { ChainSource } from '../chain-source.ts'

/** Heights that the live tables stand at. */
export interface Heights {
  readonly processed: number
  readonly safe: number
  readonly finalized: number
}

/** The same chain, ending where the live tables end, so that an index of it can be compared with them. */
export const pinnedSource = (source: ChainSource, heights: () => Heights): ChainSource => ({
  ...source,
  async heads() {
    const { processed, safe, finalized } = heights()
    const [head] = await source.headers(processed, processed)
    if (head === undefined) throw chainUnavailable(`read block ${processed}, up to which the tables go`)
    return { head, safe, finalized }
  },
})
