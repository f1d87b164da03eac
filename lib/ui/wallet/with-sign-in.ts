import { prompt } from './prompt.ts'
import { siteSession } from './session/browser-store.ts'
import type { SessionStore } from './session/store.ts'

/** The wallet dialog was closed. Nothing was done, and there is nothing to report. */
export class GaveUp extends Error {
  override readonly name = 'GaveUp'
}

/** Another account signed in during the action, which is dropped. */
export class AccountChanged extends Error {
  override readonly name = 'AccountChanged'
}

interface Parts {
  readonly session: Pick<SessionStore, 'getState' | 'refresh'>
  /** Opens the dialog of signing in; returns whether that was done. */
  readonly ask: () => Promise<boolean>
}

/**
 * Runs an action that needs an account. Prompts a visitor to sign in, and retries once when the session has ended.
 *
 * @param action Sends the request again at each call, for instance `() => chain.POST('/connector', {…})`.
 * @returns The response of `action`, whatever its status.
 * @throws GaveUp when the dialog was closed, AccountChanged; and what `action` throws.
 */
export function withSignIn<T extends { readonly response: Response }>(action: () => Promise<T>): Promise<T> {
  return runWithSignIn(action, { session: siteSession, ask: () => prompt('sign_in') })
}

/** The same with its dependencies passed in, for tests. */
export async function runWithSignIn<T extends { readonly response: Response }>(
  action: () => Promise<T>,
  { session, ask }: Parts,
): Promise<T> {
  if (session.getState().status === 'unknown') await session.refresh()
  if (accountOf(session) === undefined) await signIn(session, ask, undefined)
  const account = accountOf(session)
  const answer = await action()
  if (answer.response.status !== 401) return answer
  await session.refresh()
  await signIn(session, ask, account)
  return action()
}

async function signIn(
  session: Parts['session'],
  ask: Parts['ask'],
  account: string | undefined,
): Promise<void> {
  if (!(await ask())) throw new GaveUp('The sign-in was not finished')
  if (account !== undefined && accountOf(session) !== account) {
    throw new AccountChanged('Another account is signed in now')
  }
}

function accountOf(session: Parts['session']): string | undefined {
  const state = session.getState()
  return state.status === 'signed_in' || state.status === 'switched' ? state.session.address : undefined
}
