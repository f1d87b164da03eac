import { ask, Refusal } from '#lib/browser/requests.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'

/** Shows a piece of the account on this site with other words than it was published with. @throws Refusal, NoAnswer */
export async function showPiece(
  name: string,
  { title, present }: { readonly title: string; readonly present: Presentation | undefined },
): Promise<void> {
  const trimmed = title.trim()
  await ask('PUT', addressOf(name), {
    ...(trimmed !== '' && { title: trimmed }),
    ...(present && { present }),
  })
}

/** Shows a piece of the account on this site as it was published. @throws Refusal, NoAnswer */
export async function showAsPublished(name: string): Promise<void> {
  await ask('DELETE', addressOf(name))
}

/** A message that states what failed and what to do. */
export function shownErrorMessage(error: unknown): string {
  if (!(error instanceof Refusal)) return 'The site does not answer. Try again.'
  if (error.status === 401) return 'Your session has ended. Sign in again.'
  return error.message === '' ? 'That did not work. Try again in a moment.' : `${error.message}.`
}

function addressOf(name: string): string {
  return `/studio/api/pieces/${encodeURIComponent(name)}/presentation`
}
