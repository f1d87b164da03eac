/**
 * The purpose of the wallet dialog.
 *
 * - `sign_in`: with any wallet.
 * - `switch`: signing in as the account that the wallet shows now.
 * - `publishing`: the second signature, after signing in where necessary.
 */
export type Goal = 'sign_in' | 'switch' | 'publishing'

interface Prompt {
  readonly goal: Goal
  readonly answered: Promise<boolean>
  readonly answer: (reached: boolean) => void
}

let current: Prompt | undefined
const listeners = new Set<() => void>()

/**
 * Opens the wallet dialog and waits for its end. Concurrent calls share the open dialog.
 *
 * @returns whether the goal was reached.
 */
export async function prompt(goal: Goal): Promise<boolean> {
  const open = current
  if (open !== undefined) {
    const reached = await open.answered
    return reached && open.goal !== goal && goal === 'publishing' ? prompt(goal) : reached
  }
  let answer: (reached: boolean) => void = () => undefined
  const answered = new Promise<boolean>((resolve) => {
    answer = resolve
  })
  set({
    goal,
    answered,
    answer(reached) {
      set(undefined)
      answer(reached)
    },
  })
  return answered
}

/** For the host of the dialog. */
export const prompts = {
  getState: (): Prompt | undefined => current,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function set(next: Prompt | undefined): void {
  current = next
  for (const listener of [...listeners]) listener()
}
