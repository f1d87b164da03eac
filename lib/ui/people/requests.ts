import type { Piece } from '../../people/social/marks.ts'
import type { MarkRequest, MarksAnswer, PlayRequest } from '../../server/operations/studio/pieces.ts'
import { ask } from '../wallet/session/requests.ts'

/** The signed-in account's marks on a piece. @throws Refusal, NoAnswer */
export async function fetchMarks({ kind, name }: Piece): Promise<MarksAnswer['marks']> {
  const path = `/studio/api/marks/${kind}/${encodeURIComponent(name)}`
  return ((await ask('GET', path)) as MarksAnswer).marks
}

/** @throws Refusal, NoAnswer */
export async function sendMark(request: MarkRequest): Promise<void> {
  await ask('POST', '/studio/api/marks', request)
}

/** Reports that a piece plays. The server counts one a visitor and day; a lost report is lost. */
export function reportPlay(request: PlayRequest): void {
  ask('POST', '/studio/api/plays', request).catch(() => {
    // Playing does not depend on it.
  })
}
