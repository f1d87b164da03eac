'use client'

import { type ReactNode, useState } from 'react'
import { shortHex } from '#lib/browser/format.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { importAgain } from '#lib/ui/kit/missing-chunk.ts'
import { prompt } from '#lib/ui/wallet/prompt.ts'
import { type OwnWallet, signsPlans, type WalletState } from './own-wallet.ts'
import { type AccountPlan, amountText } from './plan.ts'

/** Account, network and funds: each with what to do where it is not as it has to be. */
export function Checks({
  plan,
  account,
  own,
}: {
  plan: AccountPlan
  account: Address | undefined
  own: OwnWallet
}) {
  if (account === undefined) {
    return (
      <dl className="space-y-2 text-sm">
        <CheckLine
          name="Account"
          ok={false}
          action={
            <Button size="small" onClick={() => void prompt('sign_in')}>
              Sign in
            </Button>
          }
        >
          Not signed in
        </CheckLine>
      </dl>
    )
  }
  const { state } = own
  return (
    <dl className="space-y-2 text-sm">
      <AccountCheck account={account} state={state} refresh={own.refresh} />
      <NetworkCheck state={state} refresh={own.refresh} />
      <FundsCheck plan={plan} state={state} />
    </dl>
  )
}

function AccountCheck({
  account,
  state,
  refresh,
}: {
  account: Address
  state: WalletState | undefined
  refresh: () => void
}) {
  const connect = async () => {
    await prompt('sign_in')
    refresh()
  }
  if (state?.is === 'away') {
    return (
      <CheckLine
        name="Account"
        ok={false}
        action={
          <Button size="small" onClick={() => void connect()}>
            Connect
          </Button>
        }
      >
        The wallet of {shortHex(account)} is not connected here
      </CheckLine>
    )
  }
  if (state?.is === 'other_account') {
    return (
      <CheckLine
        name="Account"
        ok={false}
        action={
          <Button size="small" onClick={refresh}>
            Look again
          </Button>
        }
      >
        {state.wallet.option.name} shows {shortHex(state.wallet.accounts[0])}: choose {shortHex(account)}{' '}
        there
      </CheckLine>
    )
  }
  return (
    <CheckLine name="Account" ok={state !== undefined}>
      <span className="mono text-xs">{shortHex(account)}</span>
      {state === undefined ? '' : `, ${state.wallet.option.name}`}
    </CheckLine>
  )
}

function NetworkCheck({ state, refresh }: { state: WalletState | undefined; refresh: () => void }) {
  const [trouble, setTrouble] = useState<string>()
  const chain = state?.network.chain
  if (state?.is !== 'wrong_chain' || !chain) {
    return (
      <CheckLine name="Network" ok={chain !== undefined && chain !== null}>
        {chain
          ? `${chain.name} (${chain.id})`
          : state === undefined
            ? 'Looking…'
            : 'The chain does not answer'}
      </CheckLine>
    )
  }
  const switchChain = async () => {
    setTrouble(undefined)
    try {
      await state.wallet.switchChain()
    } catch (error) {
      const { walletErrorMessage } = await importAgain(
        () => import('#lib/ui/wallet/connect/error-messages.ts'),
      )
      setTrouble(walletErrorMessage(error, 'switch', state.wallet.option.name))
    }
    refresh()
  }
  return (
    <CheckLine
      name="Network"
      ok={false}
      action={
        <Button size="small" onClick={() => void switchChain()}>
          Switch to {chain.name}
        </Button>
      }
    >
      {trouble ?? `${state.wallet.option.name} is on another network`}
    </CheckLine>
  )
}

function FundsCheck({ plan, state }: { plan: AccountPlan; state: WalletState | undefined }) {
  if (plan.sponsored) {
    return (
      <CheckLine name="Funds" ok>
        {signsPlans(state)
          ? 'None needed: this site pays'
          : 'None needed if your wallet can sign all of it at once: this site pays'}
      </CheckLine>
    )
  }
  if (state?.is === 'ready' && state.wallet.option.kind === 'passkey') {
    return (
      <CheckLine name="Funds" ok={false}>
        An account of a passkey publishes where this site pays, which it does not do for this now. Try again
        tomorrow, or sign in with a wallet.
      </CheckLine>
    )
  }
  if (plan.balance === undefined) return null
  const enough = plan.balance >= plan.cost.most
  const likely = plan.balance >= plan.cost.likely
  return (
    <CheckLine name="Funds" ok={enough}>
      {amountText(plan.balance, plan.currency)}
      {enough
        ? ''
        : likely
          ? ': probably enough, but wallets may want to see more'
          : `: not enough, it takes about ${amountText(plan.cost.likely, plan.currency)}`}
      {!enough && state?.is === 'ready' && state.wallet.option.kind === 'burner'
        ? '. The development chain fills it up when you sign in.'
        : ''}
    </CheckLine>
  )
}

/** Whether the wallet is known to sign typed data. */
function CheckLine({
  name,
  ok,
  action,
  children,
}: {
  name: string
  ok: boolean
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="grid grid-cols-[1.25rem_5rem_minmax(0,1fr)] items-center gap-x-2 gap-y-1">
      <span aria-hidden="true" className={ok ? 'text-verdigris' : 'text-weld'}>
        {ok ? '✓' : '!'}
      </span>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 [overflow-wrap:anywhere]">
        <span className="min-w-0">{children}</span>
        {action}
      </dd>
    </div>
  )
}
