'use client'

import { useEffect, useRef, useState } from 'react'
import { DialogFrame } from '#lib/ui/kit/dialog.tsx'
import type { Goal } from '../prompt.ts'
import { rememberedWallet, rememberWallet, siteSession } from '../session/browser-store.ts'
import { askChallenge, startSession } from '../session/requests.ts'
import { walletErrorMessage } from './error-messages.ts'
import { createFlow, type Flow } from './flow.ts'
import { FlowView } from './flow-view.tsx'
import type { Network } from './network.ts'
import { openWallets } from './open-wallets.ts'
import type { Wallets } from './wallet.ts'

interface Ready {
  readonly flow: Flow
  readonly network: Network
  readonly wallets: Wallets
}

/**
 * The dialog of connecting a wallet and signing in.
 *
 * @param onEnd Called once, with whether the goal was reached.
 */
export function WalletDialog({ goal, onEnd }: { goal: Goal; onEnd: (reached: boolean) => void }) {
  const [ready, setReady] = useState<Ready>()
  const [trouble, setTrouble] = useState<string>()
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
          site: { askChallenge, startSession },
          remembered: rememberedWallet,
          remember: rememberWallet,
          now: Date.now,
        })
        const followed = flow.subscribe(() => {
          if (flow.getState().step === 'done') end.current(true)
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
    <DialogFrame
      onClose={() => onEnd(false)}
      title="Sign in"
      className="inset-x-0 bottom-0 max-h-[92dvh] rounded-t-lg border border-line bg-raised p-6 text-ink shadow-2xl sm:inset-x-auto sm:top-[12vh] sm:bottom-auto sm:left-1/2 sm:w-[27rem] sm:-translate-x-1/2 sm:rounded-lg"
    >
      {ready === undefined ? (
        <p role={trouble === undefined ? 'status' : 'alert'} className="mt-2 min-h-40 text-sm">
          {trouble ?? 'Looking for wallets…'}
        </p>
      ) : (
        <FlowView {...ready} />
      )}
    </DialogFrame>
  )
}
