'use client'

import { ask } from '#lib/browser/requests.ts'
import type { AnswerApplicationAnswer, AnswerApplicationRequest } from '#lib/features/agents/index.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { useAction } from '#lib/ui/components/use-action.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { ownMessageOr } from '#lib/ui/people/error-messages.ts'

interface Props {
  readonly account: Address
  readonly request: AnswerApplicationRequest['request']
}

/** Buttons that allow or refuse an application's request, and lead back to it. */
export function Answer({ account, request }: Props) {
  const { busy, message, act } = useAction(ownMessageOr(400, 429))
  const answer = (allow: boolean) =>
    act(async () => {
      const body: AnswerApplicationRequest = { allow, request }
      const { redirect_to } = (await ask(
        'POST',
        `/studio/api/agents/${account}`,
        body,
      )) as AnswerApplicationAnswer
      location.assign(redirect_to)
      return 'Back to the application. You can close this page.'
    })

  return (
    <>
      <div className="flex flex-wrap gap-3">
        <Button look="filled" disabled={busy} onClick={() => void answer(true)}>
          Connect
        </Button>
        <Button disabled={busy} onClick={() => void answer(false)}>
          Refuse
        </Button>
      </div>
      <p role="status" className="text-sm empty:hidden">
        {message}
      </p>
    </>
  )
}
