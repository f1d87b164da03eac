'use client'

import { ask } from '#lib/browser/requests.ts'
import type { SourcifyState } from '#lib/features/verifier/index.ts'
import { Fact, Facts } from '#lib/ui/components/facts.tsx'
import { measure } from '#lib/ui/components/measure.ts'
import { exactTime } from '#lib/ui/components/time.ts'
import { useAction } from '#lib/ui/components/use-action.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { useSession } from '#lib/ui/wallet/session/use-session.ts'
import { errorLines } from '#lib/ui/world/error-messages.ts'

const MATCHES = {
  exact: 'exact match',
  partial: 'partial match',
  none: 'no match',
} as const

/** Answers of Sourcify about the contracts; for administrators, a button that submits them. */
export function ContractVerification({ sourcify }: { readonly sourcify: SourcifyState }) {
  const session = useSession()
  const { busy, message, act } = useAction((error) => errorLines(error).join(' '))
  const isAdmin = session.status === 'signed_in' && session.session.roles.includes('admin')
  const { configured, verdicts } = sourcify
  if (!isAdmin && verdicts.length === 0) return null

  const submit = () =>
    act(async () => {
      await ask('POST', '/studio/api/contract-verification')
      return 'Submitted: the answers show above in a few seconds.'
    })
  return (
    <section className={`${measure} mt-16`}>
      <h2 className="font-semibold text-2xl tracking-tight">Sources of the contracts</h2>
      <p className="mt-2 mb-6 max-w-prose text-ink-soft">
        Where everybody can read what the contracts of this network were compiled from.
      </p>
      <Facts>
        <Fact label="Sourcify">
          {verdicts.length === 0 ? (
            <p>{configured ? 'Nothing was submitted yet.' : 'Not set: SOURCIFY_URL names it.'}</p>
          ) : (
            <ul className="space-y-1">
              {verdicts.map(({ contract, match, words, fix, atMs }) => (
                <li key={contract}>
                  {contract}: {MATCHES[match]}, {exactTime(atMs)}
                  {fix === undefined ? null : (
                    <span className="block text-ink-soft">
                      It says: {words}. {fix}
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Fact>
      </Facts>
      {isAdmin ? (
        <div className="mt-4 space-y-2">
          <Button disabled={!configured || busy} onClick={() => void submit()}>
            {busy ? 'Submitting; this takes up to a minute…' : 'Submit the sources'}
          </Button>
          <p role="status" className="text-sm">
            {configured ? message : 'Set SOURCIFY_URL, and start the site again.'}
          </p>
        </div>
      ) : null}
    </section>
  )
}
