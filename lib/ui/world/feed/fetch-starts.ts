import type { StartsAnswer } from '../../../api/studio/worlds-schemas.ts'
import type { StartLine } from '../../../domain/start-lines.ts'
import type { OfferedConnector } from '../../../domain/world-compatibility.ts'
import { ask } from '../../wallet/session/requests.ts'

/** A connector as a World may be fed with it. */
export interface KnownConnector extends OfferedConnector {
  readonly lines: readonly StartLine[]
  readonly more: boolean
}

/** @throws Refusal, with 404 for an unknown connector; NoAnswer. */
export async function fetchStarts(name: string): Promise<KnownConnector> {
  const answer = (await ask('GET', `/studio/api/starts/${encodeURIComponent(name)}`)) as StartsAnswer
  return {
    name,
    formatHash: answer.format_hash,
    scalars: answer.scalars,
    more: answer.more,
    lines: answer.lines.map(({ leads_to, start_point, transformation_shift, ...line }) => ({
      ...line,
      leadsTo: leads_to,
      otherwise: { startPoint: start_point, transformationShift: transformation_shift },
    })),
  }
}
