'use client'

import { type ComponentType, useEffect, useRef, useState } from 'react'
import { shortHex } from '#lib/browser/format.ts'
import { Avatar } from '#lib/ui/components/avatar.tsx'
import { useValue } from '#lib/ui/components/value.ts'
import { Button, ButtonLink } from '#lib/ui/kit/button.tsx'
import { CopyButton } from '#lib/ui/kit/copy-button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { importAgain } from '#lib/ui/kit/missing-chunk.ts'
import type { WalletDialog } from './connect/wallet-dialog.tsx'
import { prompt, prompts } from './prompt.ts'
import { rememberedWallet, siteSession } from './session/browser-store.ts'
import type { SessionState } from './session/store.ts'
import { useSession } from './session/use-session.ts'
import { useSessionUpkeep } from './session/watch-wallet.ts'

type Dialog = typeof WalletDialog

function loadDialog() {
  return importAgain(() => import('./connect/wallet-dialog.tsx')).then((loaded) => loaded.WalletDialog)
}

/** The account button of the header, and the host of the wallet dialog. */
export function AccountControl() {
  useSessionUpkeep()
  const state = useSession()
  const [open, setOpen] = useState(false)
  const [failed, setFailed] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const switched = state.status === 'switched'
  const account =
    state.status === 'unknown' ? state.guess : state.status === 'visitor' ? undefined : state.session.address
  const name = 'session' in state ? state.session.name : undefined
  const shown = account !== undefined && state.status !== 'unknown' && (open || switched)

  useEffect(() => {
    if (!open) return
    const leave = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    const leaveByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    document.addEventListener('keydown', leaveByKey)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
      document.removeEventListener('keydown', leaveByKey)
    }
  }, [open])

  const press = () => {
    if (account !== undefined) return setOpen(!open)
    setFailed(false)
    void prompt('sign_in')
  }

  return (
    <div ref={root} className="scripted sm:relative">
      <Button
        size="small"
        ref={button}
        aria-expanded={account === undefined ? undefined : shown}
        aria-haspopup={account === undefined ? 'dialog' : undefined}
        // Preloads the wallet code before the click.
        onPointerEnter={account === undefined ? preloadDialog : undefined}
        onFocus={account === undefined ? preloadDialog : undefined}
        onClick={press}
        className="min-w-0 max-w-34 whitespace-nowrap"
      >
        {account === undefined ? (
          'Sign in'
        ) : (
          <>
            <Avatar address={account} className="size-5" />
            <span className="sr-only">Account </span>
            {name === undefined ? (
              <span className="mono truncate font-normal text-xs max-sm:sr-only">{shortHex(account)}</span>
            ) : (
              <bdi className="truncate max-sm:sr-only">{name}</bdi>
            )}
          </>
        )}
      </Button>
      {shown ? (
        <AccountPanel
          state={state}
          onDone={() => {
            setOpen(false)
            button.current?.focus()
          }}
        />
      ) : null}
      {failed ? (
        <p role="alert" className={`${panel} text-sm`}>
          The wallet part of this page could not be loaded. Check the connection and try again.
        </p>
      ) : null}
      <PromptHost onFailure={() => setFailed(true)} />
    </div>
  )
}

function preloadDialog(): void {
  loadDialog().catch(() => {
    // Reported when the dialog is opened.
  })
}

/** Shows the wallet dialog while a prompt is open. */
function PromptHost({ onFailure }: { onFailure: () => void }) {
  const current = useValue(prompts, () => undefined)
  const [Dialog, setDialog] = useState<ComponentType<Parameters<Dialog>[0]>>()
  useEffect(() => {
    if (current === undefined || Dialog !== undefined) return
    loadDialog().then(
      (loaded) => setDialog(() => loaded),
      () => {
        onFailure()
        current.answer(false)
      },
    )
  }, [current, Dialog, onFailure])
  if (current === undefined || Dialog === undefined) return null
  return <Dialog goal={current.goal} onEnd={current.answer} />
}

/** Position of the account panel: over the page, without layout shift. */
const panel =
  'fixed inset-x-4 top-14 z-over rounded-lg border border-line bg-raised p-5 shadow-xl sm:absolute sm:inset-x-auto sm:top-full sm:right-0 sm:mt-2 sm:w-80'

/** The signed-in account and its actions; after a switch in the wallet, the choice between both accounts. */
function AccountPanel({ state, onDone }: { state: SessionState; onDone: () => void }) {
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
          <Button look="filled" onClick={() => void prompt('switch')} className="w-full">
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
