import { createValue, type Readable } from '#lib/browser/value.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { siteSession } from './session/browser-store.ts'

/**
 * The purpose of the wallet dialog.
 *
 * - `sign_in`: with any wallet.
 * - `switch`: signing in as the account that the wallet shows now.
 */
export type Goal = 'sign_in' | 'switch'

interface Prompt {
  readonly goal: Goal
  readonly answered: Promise<boolean>
  readonly answer: (reached: boolean) => void
}

const current = createValue<Prompt | undefined>(undefined)
/** For the host of the dialog. */
export const prompts: Readable<Prompt | undefined> = current

/**
 * Opens the wallet dialog and waits for its end. Concurrent calls share the open dialog.
 *
 * @returns whether the goal was reached.
 */
export async function prompt(goal: Goal): Promise<boolean> {
  const open = current.getState()
  if (open !== undefined) return open.answered
  let answer: (reached: boolean) => void = () => undefined
  const answered = new Promise<boolean>((resolve) => {
    answer = resolve
  })
  current.setState({
    goal,
    answered,
    answer(reached) {
      current.setState(undefined)
      answer(reached)
    },
  })
  return answered
}

/**
 * Returns the signed-in account, after the wallet dialog where there is none. A session that is not fetched yet is waited
 * for, so that an early press of a button opens no dialog for a signed-in account.
 *
 * @returns undefined where the dialog was left.
 */
export async function signedInAccount(): Promise<Address | undefined> {
  while (siteSession.getState().status === 'unknown') await siteSession.refresh()
  if (siteSession.getState().status !== 'signed_in' && !(await prompt('sign_in'))) return undefined
  const state = siteSession.getState()
  return state.status === 'signed_in' ? state.session.address : undefined
}
