import { Refusal } from '#lib/browser/requests.ts'

/** A message that states what failed and what to do. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Refusal)) {
    return 'The site does not answer. Nothing is lost: what you typed is still here. Try again in a moment.'
  }
  if (error.status === 401) return 'Your session has ended. Sign in again, then repeat it.'
  if (error.status === 400) return 'That is too much for a profile: at most 64 KiB with everything in it.'
  if (error.status === 403) return 'You are signed in as somebody else by now. Reload the page.'
  return 'That did not work. Try again in a moment.'
}

/** Likewise, where what the site says of these statuses is a message for people. */
export function ownMessageOr(...statuses: readonly number[]): (error: unknown) => string {
  return (error) =>
    error instanceof Refusal && statuses.includes(error.status) && error.message !== ''
      ? `${error.message.replace(/\.$/, '')}.`
      : errorMessage(error)
}
