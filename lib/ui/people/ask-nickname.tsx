'use client'

import { type FormEvent, useEffect, useState } from 'react'
import { browserMemory } from '#lib/browser/memory.ts'
import { ask, Refusal } from '#lib/browser/requests.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { TextField } from '#lib/ui/kit/field.tsx'
import { siteSession } from '#lib/ui/wallet/session/browser-store.ts'
import { useSession } from '#lib/ui/wallet/session/use-session.ts'

const ASKED = 'weft-nickname-asked'
const MAX_NICKNAME = 100

/** Asks an account without a name for one, once in this browser. */
export function AskNickname({ account }: { account: Address }) {
  const session = useSession()
  const nameless = session.status === 'signed_in' && session.session.name === undefined
  const [state, setState] = useState<'open' | 'saving' | 'saved' | 'left'>(() =>
    nameless && browserMemory.read(ASKED) !== account ? 'open' : 'left',
  )
  const [trouble, setTrouble] = useState<string>()
  useEffect(() => {
    if (state === 'open') browserMemory.write(ASKED, account)
  }, [state, account])

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('nickname') ?? '').trim()
    if (name === '') return
    setState('saving')
    setTrouble(undefined)
    try {
      await ask('PATCH', `/services/users/${account}`, { display_name: name })
      setState('saved')
      void siteSession.refresh()
    } catch (error) {
      setState('open')
      setTrouble(
        error instanceof Refusal && error.message !== ''
          ? error.message
          : 'That did not work. Try again, or choose a name later under your account.',
      )
    }
  }

  if (state === 'left') return null
  if (state === 'saved') {
    return (
      <p role="status" className="text-sm">
        Your pages carry your name now. You can change it under your account.
      </p>
    )
  }
  return (
    <form onSubmit={(event) => void save(event)} className="max-w-[38rem] border-line border-t pt-4 text-sm">
      <label className="block">
        By which name do you want to be shown beside it?
        <TextField
          name="nickname"
          maxLength={MAX_NICKNAME}
          autoComplete="nickname"
          required
          className="mt-1 block"
        />
      </label>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button type="submit" disabled={state === 'saving'}>
          Use this name
        </Button>
        <Button onClick={() => setState('left')}>Stay with my address</Button>
      </div>
      <p role="status" className="pt-2 text-madder empty:hidden">
        {trouble}
      </p>
    </form>
  )
}
