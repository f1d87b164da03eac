import type { NetworkOverview } from '../../../lib/registry/network-overview.ts'

const LISTED = 12
const SCALARS = 3

export type NetworkCounts = NetworkOverview['counts']

/** As much of the network as the first page names. Plain data: it travels from server to browser. */
export interface Held
  extends Pick<NetworkOverview, 'counts' | 'transformations' | 'conditions' | 'accounts'> {
  readonly formats: readonly (Omit<NetworkOverview['formats'][number], 'scalarsCount'> & {
    /** Scalars besides those named. */
    readonly more: number
  })[]
}

/** Cuts an overview to what is shown of it: whatever a page is given, it sends. */
export function heldOf({ counts, transformations, conditions, formats, accounts }: NetworkOverview): Held {
  return {
    counts,
    transformations: transformations.slice(0, LISTED),
    conditions: conditions.slice(0, LISTED),
    formats: formats.slice(0, LISTED).map(({ formatHash, scalars, scalarsCount, connectors }) => ({
      formatHash,
      connectors,
      scalars: scalars.slice(0, SCALARS),
      more: Math.max(0, scalarsCount - SCALARS),
    })),
    accounts: accounts.slice(0, LISTED).map(({ address, published }) => ({ address, published })),
  }
}
