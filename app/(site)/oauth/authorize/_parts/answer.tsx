'use client'

import { useState } from 'react'
import type { Address } from '../../../../../lib/protocol/entity.ts'
import type {
  AnswerApplicationAnswer,
  AnswerApplicationRequest,
} from '../../../../../lib/server/operations/studio/agents.ts'
import { Button } from '../../../../../lib/ui/components/button.tsx'
import { ask, Refusal } from '../../../../../lib/ui/wallet/session/requests.ts'
import { errorMessage } from '../../../account/_parts/error-messages.ts'

interface Props {
  readonly account: Address
  readonly request: AnswerApplicationRequest['request']
}

/** Buttons that allow or refuse an application's request, and lead back to it. */
export function Answer({ account, request }: Props) {
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<string>()

  const answer = async (allow: boolean) => {
    setBusy(true)
    setSaid(undefined)
    try {
      const body: AnswerApplicationRequest = { allow, request }
      const { redirect_to } = (await ask(
        'POST',
        `/studio/api/agents/${account}`,
        body,
      )) as AnswerApplicationAnswer
      setSaid('Back to the application. You can close this page.')
      location.assign(redirect_to)
    } catch (error) {
      const own = error instanceof Refusal && [400, 429].includes(error.status) && error.message !== ''
      setSaid(own ? error.message : errorMessage(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <div className="flex flex-wrap gap-3">
        <Button look="primary" disabled={busy} onClick={() => void answer(true)}>
          Connect
        </Button>
        <Button disabled={busy} onClick={() => void answer(false)}>
          Refuse
        </Button>
      </div>
      <p role="status" className="text-sm empty:hidden">
        {said}
      </p>
    </>
  )
}
