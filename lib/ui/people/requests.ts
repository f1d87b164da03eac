import type { MarkRequest, MarksAnswer, PlayRequest } from '#lib/features/social/mark-operations.ts'
import type { Marked } from '#lib/features/social/marks.ts'
import { ask } from '#lib/ui/wallet/session/requests.ts'

/** The signed-in account's marks on a piece. @throws Refusal, NoAnswer */
export function fetchMarks({ kind, name }: Marked): Promise<MarksAnswer['marks']> {
  const path = `/studio/api/marks/${kind}/${encodeURIComponent(name)}`
  const known = inFlight.get(path)
  if (known !== undefined) return known
  const sent = ask('GET', path)
    .then((answer) => (answer as MarksAnswer).marks)
    .finally(() => inFlight.delete(path))
  inFlight.set(path, sent)
  return sent
}

/** The buttons of a page share one request. */
const inFlight = new Map<string, Promise<MarksAnswer['marks']>>()

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
