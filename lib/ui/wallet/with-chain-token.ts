import { importAgain } from '#lib/ui/components/missing-chunk.ts'
import { prompt } from './prompt.ts'
import { rememberedWallet, siteSession } from './session/browser-store.ts'
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
  /** Opens the dialog for the missing signatures; returns whether all were made. */
  readonly ask: () => Promise<boolean>
}

/**
 * Runs an action that needs a chain token. Prompts for missing signatures, and retries once when the token has
 * expired.
 *
 * @param action Sends the request again at each call, for instance `() => chain.POST('/connector', {…})`.
 * @returns The response of `action`, whatever its status.
 * @throws GaveUp when the dialog was closed, AccountChanged; and what `action` throws.
 */
export function withChainToken<T extends { readonly response: Response }>(
  action: () => Promise<T>,
): Promise<T> {
  return runWithChainToken(action, { session: siteSession, ask: askForAccess })
}

/** The same with its dependencies passed in, for tests. */
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
  // The throwaway wallet signs without confirmation: no dialog is needed.
  if (rememberedWallet() === 'burner' && siteSession.getState().status === 'signed_in') {
    const { renewQuietly } = await importAgain(() => import('./connect/renew-quietly.ts'))
    if (await renewQuietly()) return true
  }
  return prompt('publishing')
}
