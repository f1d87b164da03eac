import { prompt } from './prompt.ts'
import { siteSession } from './session/browser-store.ts'
import { rememberedWallet } from './session/remembered-wallet.ts'
import type { SessionStore } from './session/store.ts'

/** The wallet dialog was closed before it came to its end. Nothing was done, and there is nothing to report. */
export class GaveUp extends Error {
  override readonly name = 'GaveUp'
}

/** Another account than the one that began is signed in now; what it began is not the new one's to finish. */
export class AccountChanged extends Error {
  override readonly name = 'AccountChanged'
}

interface Parts {
  readonly session: Pick<SessionStore, 'getState' | 'refresh'>
  /** Asks for the second signature, and for the first where it is missing; whether it was given. */
  readonly ask: () => Promise<boolean>
}

/**
 * Does something with the chain API that only an account may: drafting, publishing. Asks to sign in and for the second
 * signature when they are missing, and does it once more when the permission ran out meanwhile.
 *
 * @param action Sends the request anew at each call, for instance `() => chain.POST('/connector', {…})`.
 * @returns the answer of `action`, whatever its status.
 * @throws GaveUp when the dialog was closed, AccountChanged; and what `action` throws.
 */
export function withChainToken<T extends { readonly response: Response }>(
  action: () => Promise<T>,
): Promise<T> {
  return runWithChainToken(action, { session: siteSession, ask: askForAccess })
}

/** The same with its surroundings named, for tests. */
export async function runWithChainToken<T extends { readonly response: Response }>(
  action: () => Promise<T>,
  { session, ask }: Parts,
): Promise<T> {
  if (session.getState().status === 'unknown') await session.refresh()
  const before = accountOf(session)
  if (!mayPublish(session)) await obtain(session, ask, before)
  const account = accountOf(session)
  const answer = await action()
  if (answer.response.status !== 401) return answer
  await session.refresh()
  await obtain(session, ask, account)
  return action()
}

async function obtain(
  session: Parts['session'],
  ask: Parts['ask'],
  account: string | undefined,
): Promise<void> {
  if (!(await ask())) throw new GaveUp('The sign-in was not finished')
  if (account !== undefined && accountOf(session) !== account) {
    throw new AccountChanged('Another account is signed in now')
  }
}

function mayPublish(session: Parts['session']): boolean {
  const state = session.getState()
  return state.status === 'signed_in' && state.session.chainExpiresAtMs !== null
}

function accountOf(session: Parts['session']): string | undefined {
  const state = session.getState()
  return state.status === 'signed_in' || state.status === 'switched' ? state.session.address : undefined
}

async function askForAccess(): Promise<boolean> {
  // The throwaway wallet signs without asking anybody: no dialog need say so.
  if (rememberedWallet() === 'burner' && siteSession.getState().status === 'signed_in') {
    const { renewQuietly } = await import('./connect/renew-quietly.ts')
    if (await renewQuietly()) return true
  }
  return prompt('publishing')
}
