import { fund } from '../../wallet/connect/burner.ts'
import { prompt } from '../../wallet/prompt.ts'
import { useSession } from '../../wallet/session/use-session.ts'
import type { Look, Step } from './lesson.ts'

/** A way out for whoever is stuck. */
export interface Help {
  readonly label: string
  readonly run: () => void
}

/** What the page can do for somebody in a step; what is signed, only they can do. */
export function useHelp(
  step: Step | undefined,
  look: Look,
  {
    doIt,
    open,
    show,
  }: {
    readonly doIt: () => void
    /** Opens what the control of the step opens. */
    readonly open: () => void
    readonly show: (() => void) | undefined
  },
): Help | undefined {
  const session = useSession()
  if (step === undefined) return undefined
  if (step.awaits === 'account') return { label: 'Open it for me', run: () => void prompt('sign_in') }
  if (step.awaits === 'reload') return { label: 'Reload for me', run: () => location.reload() }
  if (step.awaits === 'published') {
    const account = session.status === 'signed_in' ? session.session.address : undefined
    if (account === undefined) return { label: 'Sign in', run: () => void prompt('sign_in') }
    return {
      label: 'Open it for me',
      run() {
        void fund(account)
        open()
      },
    }
  }
  if (step.adopts !== undefined && look.entry(step.adopts.role) !== undefined) return undefined
  if (step.doIt !== undefined || step.adopts !== undefined) return { label: 'Do it for me', run: doIt }
  return show && { label: 'Do it for me', run: show }
}
