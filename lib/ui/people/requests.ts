import { ask } from '#lib/browser/requests.ts'
import type {
  Mark,
  Marked,
  MarkRequest,
  MarksAnswer,
  PlayRequest,
  ReportRequest,
  SavedAnswer,
} from '#lib/features/social/index.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'

export type { Mark, Marked, ReportRequest }

/** The signed-in account's marks on a piece. @throws Refusal, NoAnswer */
export async function fetchMarks({ kind, name }: Marked): Promise<MarksAnswer['marks']> {
  return ((await ask('GET', `/studio/api/marks/${kind}/${encodeURIComponent(name)}`)) as MarksAnswer).marks
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

/** Names that the signed-in account saved, the newest first. @throws Refusal, NoAnswer */
export async function fetchSaved(kind: EntityKind): Promise<readonly string[]> {
  return ((await ask('GET', `/studio/api/saved/${kind}`)) as SavedAnswer).names
}

/** @throws Refusal, NoAnswer */
export async function sendReport(request: ReportRequest): Promise<void> {
  await ask('POST', '/studio/api/reports', request)
}
