import { NoAnswer, Refusal } from '#lib/browser/requests.ts'
import { TooNew } from '#lib/studio/keep/server.ts'

/** An error of a request to the account's workspaces as a sentence. */
export function errorMessage(error: unknown): string {
  if (error instanceof NoAnswer) return 'The site does not answer. Try again when you are back online.'
  if (error instanceof TooNew) return 'A newer version of the studio saved this. Reload the page to open it.'
  if (error instanceof Refusal && (error.status === 401 || error.status === 403)) {
    return 'You are no longer signed in as this account. Sign in again at the top of the page.'
  }
  if (error instanceof Refusal && error.status < 500 && error.message !== '') return error.message
  return 'That did not work. Try again in a moment.'
}
