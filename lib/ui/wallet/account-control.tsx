'use client'

import { type ComponentType, useEffect, useRef, useState } from 'react'
import { Avatar } from '../components/avatar.tsx'
import { shortHex } from '../components/format.ts'
import { useValue } from '../components/value.ts'
import { AccountPanel, panel } from './account-panel.tsx'
import type { WalletDialog } from './connect/wallet-dialog.tsx'
import { prompt, prompts } from './prompt.ts'
import { useSession } from './session/use-session.ts'
import { useSessionUpkeep } from './session/watch-wallet.ts'

type Dialog = typeof WalletDialog

function loadDialog() {
  return import('./connect/wallet-dialog.tsx').then((loaded) => loaded.WalletDialog)
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
      <button
        ref={button}
        type="button"
        aria-expanded={account === undefined ? undefined : shown}
        aria-haspopup={account === undefined ? 'dialog' : undefined}
        // Preloads the wallet code before the click.
        onPointerEnter={account === undefined ? preloadDialog : undefined}
        onFocus={account === undefined ? preloadDialog : undefined}
        onClick={press}
        className="inline-flex h-9 w-34 min-w-0 max-sm:w-18 cursor-pointer items-center justify-center gap-2 rounded-md border border-edge px-2 font-medium text-sm transition-colors hover:border-accent hover:text-accent"
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
      </button>
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
