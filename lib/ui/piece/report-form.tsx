'use client'

import { useId, useState } from 'react'
import { Button } from '#lib/ui/kit/button.tsx'
import { Radio } from '#lib/ui/kit/choice.tsx'
import { TextArea } from '#lib/ui/kit/field.tsx'
import { type ReportRequest, sendReport } from '#lib/ui/people/requests.ts'
import { useSession } from '#lib/ui/wallet/session/use-session.ts'
import { errorLines } from '#lib/ui/world/error-messages.ts'

const REASONS: readonly (readonly [ReportRequest['reason'], string])[] = [
  ['harmful', 'It harms people: hateful, violent or flashing content'],
  ['deceptive', 'It deceives: it asks for secrets or pretends to be something else'],
  ['stolen', 'It is somebody else’s work'],
  ['broken', 'It does not work'],
  ['other', 'Something else'],
]

/** Reports something to the administrators. */
export function ReportForm({ kind, name, what }: Pick<ReportRequest, 'kind' | 'name'> & { what: string }) {
  const state = useSession()
  const signedIn = state.status === 'signed_in'
  const words = useId()
  const [status, setStatus] = useState<'no' | 'sending' | 'yes'>('no')
  const [problems, setProblems] = useState<readonly string[]>([])
  return (
    <details className="scripted border-line border-y">
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium text-sm">Report {what}</summary>
      {status === 'yes' ? (
        <p role="status" className="pb-4 text-sm">
          Thank you. The administrators of this site see your report.
        </p>
      ) : (
        <form
          className="space-y-4 pb-4"
          onSubmit={(event) => {
            event.preventDefault()
            const form = new FormData(event.currentTarget)
            const reason = REASONS.find(([value]) => value === form.get('reason'))?.[0]
            if (reason === undefined) return
            setStatus('sending')
            setProblems([])
            const report = {
              kind,
              name,
              reason,
              words: String(form.get('words') ?? ''),
            } satisfies ReportRequest
            sendReport(report).then(
              () => setStatus('yes'),
              (error: unknown) => {
                setProblems(errorLines(error))
                setStatus('no')
              },
            )
          }}
        >
          <fieldset>
            <legend className="pb-1 text-sm">What is wrong?</legend>
            {REASONS.map(([value, text]) => (
              <Radio key={value} name="reason" value={value} required>
                {text}
              </Radio>
            ))}
          </fieldset>
          <div>
            <label htmlFor={words} className="block text-sm">
              In your words, if you like
            </label>
            <TextArea id={words} name="words" rows={3} maxLength={1000} className="mt-1" />
          </div>
          <Button type="submit" disabled={status === 'sending'}>
            {status === 'sending' ? 'Sending…' : 'Send the report'}
          </Button>
          <p role="status" className="text-madder text-sm">
            {problems.join(' ')}
          </p>
          <p className="text-ink-soft text-xs">
            {signedIn
              ? 'It carries your account’s address; only administrators see it.'
              : 'It is sent without a name. Signed in, you could be asked back.'}
          </p>
        </form>
      )}
    </details>
  )
}
