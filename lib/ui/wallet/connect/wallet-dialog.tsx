'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useEffect, useRef, useState } from 'react'
import type { Goal } from '../prompt.ts'
import { browserMemory, rememberedWallet, rememberWallet, siteSession } from '../session/browser-store.ts'
import { askChainMessage, askChallenge, startChainAccess, startSession } from '../session/requests.ts'
import { walletErrorMessage } from './error-messages.ts'
import { createFlow, type Flow } from './flow.ts'
import { FlowView } from './flow-view.tsx'
import type { Network } from './network.ts'
import { openWallets } from './open-wallets.ts'
import type { Wallets } from './wallet.ts'

const EXPLAINED = 'weft-publishing-explained'

interface Ready {
  readonly flow: Flow
  readonly network: Network
  readonly wallets: Wallets
}

/**
 * The dialog of connecting a wallet, signing in and the second signature.
 *
 * @param onEnd Called once, with whether the goal was reached.
 */
export function WalletDialog({ goal, onEnd }: { goal: Goal; onEnd: (reached: boolean) => void }) {
  const [ready, setReady] = useState<Ready>()
  const [trouble, setTrouble] = useState<string>()
  const heading = useRef<HTMLHeadingElement>(null)
  const end = useRef(onEnd)
  end.current = onEnd

  useEffect(() => {
    let stopped = false
    let stop: () => void = () => undefined
    openWallets().then(
      ({ network, wallets }) => {
        if (stopped) return
        const flow = createFlow(goal, {
          network,
          wallets,
          session: siteSession,
          site: { askChallenge, startSession, askChainMessage, startChainAccess },
          remembered: rememberedWallet,
          remember: rememberWallet,
          explained: () => browserMemory.read(EXPLAINED) !== undefined,
        })
        const followed = flow.subscribe(() => {
          if (flow.getState().step !== 'done') return
          if (goal === 'publishing') browserMemory.write(EXPLAINED, '1')
          end.current(true)
        })
        stop = () => {
          followed()
          flow.stop()
        }
        setReady({ flow, network, wallets })
        void flow.begin()
      },
      (error: unknown) => {
        if (!stopped) setTrouble(walletErrorMessage(error, 'connect', 'The wallet'))
      },
    )
    return () => {
      stopped = true
      stop()
    }
  }, [goal])

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onEnd(false)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-[rgb(8_9_14/0.55)]" />
        <Dialog.Popup
          initialFocus={heading}
          className="fixed inset-x-0 bottom-0 z-20 max-h-[92dvh] overflow-y-auto rounded-t-lg border border-line bg-raised p-6 text-ink shadow-2xl outline-none sm:inset-x-auto sm:top-[12vh] sm:bottom-auto sm:left-1/2 sm:w-[27rem] sm:-translate-x-1/2 sm:rounded-lg"
        >
          <div className="flex items-start justify-between gap-4">
            <Dialog.Title ref={heading} tabIndex={-1} className="font-semibold text-lg outline-none">
              {goal === 'publishing' ? 'Confirm that it is you' : 'Sign in'}
            </Dialog.Title>
            <Dialog.Close
              aria-label="Close"
              className="-mt-1.5 -mr-2.5 grid size-10 shrink-0 cursor-pointer place-items-center rounded-md text-ink-soft transition-colors hover:bg-sunk hover:text-ink"
            >
              <svg
                viewBox="0 0 16 16"
                className="size-4"
                aria-hidden="true"
                fill="none"
                stroke="currentColor"
              >
                <path d="M3.5 3.5l9 9m0-9l-9 9" strokeWidth="1.5" strokeLinecap="round" />
              </svg>
            </Dialog.Close>
          </div>
          {ready === undefined ? (
            <p role={trouble === undefined ? 'status' : 'alert'} className="mt-2 min-h-40 text-sm">
              {trouble ?? 'Looking for wallets…'}
            </p>
          ) : (
            <FlowView {...ready} />
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
