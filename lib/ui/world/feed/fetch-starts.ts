'use client'

import { ask } from '#lib/browser/requests.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import type { StartLine } from '#lib/protocol/running-instance.ts'
import {
  type Compatibility,
  type OfferedConnector,
  type WorldNeeds,
  worldCompatibility,
} from '#lib/protocol/world-compatibility.ts'
import { type Primary, primaryOf } from '#lib/protocol/world-slots.ts'
import type { StartsAnswer } from '#lib/server/operations/studio/worlds.ts'
import { useAnswer } from '#lib/ui/components/use-answer.ts'

/** A connector as a World may be fed with it. */
export interface KnownConnector extends OfferedConnector {
  /** Undefined for a piece without one. */
  readonly title: string | undefined
  readonly formatHash: Hash
  /** Undefined for a draft. */
  readonly address: Address | undefined
  readonly lines: readonly StartLine[]
  readonly more: boolean
}

/** @throws Refusal, with 404 for an unknown connector; NoAnswer. */
export async function fetchStarts(name: string): Promise<KnownConnector> {
  const answer = (await ask('GET', `/studio/api/starts/${encodeURIComponent(name)}`)) as StartsAnswer
  return {
    name,
    title: answer.title ?? undefined,
    formatHash: answer.format_hash as Hash,
    address: (answer.address ?? undefined) as Address | undefined,
    scalars: answer.scalars,
    more: answer.more,
    lines: answer.lines.map(({ leads_to, start_point, transformation_shift, ...line }) => ({
      ...line,
      leadsTo: leads_to,
      otherwise: { startPoint: start_point, transformationShift: transformation_shift },
    })),
  }
}

/** A connector as a World sees it. */
interface ConnectorFit {
  readonly offered: KnownConnector
  readonly fit: Compatibility
  readonly primary: Primary
}

/** Fit of a connector for a World, and which of its slots it feeds; undefined while it is not known. */
export function useFit(needs: WorldNeeds, connector: string): ConnectorFit | undefined {
  const answer = useAnswer(connector, async (): Promise<ConnectorFit> => {
    const offered = await fetchStarts(connector)
    return { offered, fit: worldCompatibility(needs, offered), primary: primaryOf(offered, needs) }
  })
  return answer?.key === connector ? answer.value : undefined
}
