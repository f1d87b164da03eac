'use client'

import { useState } from 'react'
import { Button, ButtonLink } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { shortHex } from '../components/format.ts'
import { textLink } from '../components/link-style.ts'
import { prompt } from './prompt.ts'
import { rememberedWallet, siteSession } from './session/browser-store.ts'
import type { SessionState } from './session/store.ts'

/** Position of the account panel: over the page, without layout shift. */
export const panel =
  'fixed inset-x-4 top-14 z-10 rounded-lg border border-line bg-raised p-5 shadow-xl sm:absolute sm:inset-x-auto sm:top-full sm:right-0 sm:mt-2 sm:w-80'

/** The signed-in account and its actions; after a switch in the wallet, the choice between both accounts. */
export function AccountPanel({ state, onDone }: { state: SessionState; onDone: () => void }) {
  const [trouble, setTrouble] = useState(false)
  if (state.status !== 'signed_in' && state.status !== 'switched') return null
  const { address } = state.session

  const signOut = () => {
    setTrouble(false)
    siteSession.signOut().then(onDone, () => setTrouble(true))
  }
  const out = (
    <>
      <Button onClick={signOut} className="w-full">
        Sign out
      </Button>
      {trouble ? (
        <p role="alert" className="text-sm">
          The site does not answer, so you are still signed in. Try again.
        </p>
      ) : null}
    </>
  )

  if (state.status === 'switched') {
    return (
      <section aria-label="Account" className={panel}>
        <div role="alert" className="space-y-1.5 text-sm">
          <p className="font-semibold text-base">Your wallet has another account now</p>
          <p>
            You are signed in as <Short address={address} />; the wallet shows{' '}
            <Short address={state.wallet} />. Until you choose, nothing of either is shown.
          </p>
        </div>
        <div className="mt-4 grid gap-2.5">
          <Button look="primary" onClick={() => void prompt('switch')} className="w-full">
            Sign in as {shortHex(state.wallet)}
          </Button>
          <Button onClick={() => siteSession.stay()} className="w-full">
            Stay as {shortHex(address)}
          </Button>
          {out}
        </div>
      </section>
    )
  }
  return (
    <section aria-label="Account" className={panel}>
      <p className="text-ink-soft text-sm">
        Signed in as{' '}
        {state.session.name === undefined ? null : (
          <bdi className="font-medium text-ink [overflow-wrap:anywhere]">{state.session.name}</bdi>
        )}
      </p>
      <p className="mono mt-1 break-all text-xs leading-5">
        {address}
        <CopyButton text={address} what="address" />
      </p>
      {rememberedWallet()?.startsWith('passkey') ? (
        <p className="mt-2 border-calm-line border-l-2 pl-3 text-sm">
          An account of a passkey, kept by your device or password manager. Losing it, with all copies, loses
          the account; what you published stays.{' '}
          <a className={textLink} href="/account#passkey">
            Other devices, and how to move
          </a>
        </p>
      ) : null}
      {rememberedWallet() === 'burner' ? (
        <p className="mt-2 border-calm-line border-l-2 pl-3 text-sm">
          A throwaway wallet: its key lies in this browser, unprotected. Clearing the site’s data loses it.
        </p>
      ) : null}
      <div className="mt-4 grid gap-2.5">
        <ButtonLink href={`/users/${address}`}>Your page</ButtonLink>
        <ButtonLink href="/account">Account settings</ButtonLink>
        {out}
      </div>
    </section>
  )
}

function Short({ address }: { address: string }) {
  return <span className="mono whitespace-nowrap text-xs">{shortHex(address)}</span>
}
