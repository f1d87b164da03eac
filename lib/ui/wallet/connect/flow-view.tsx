'use client'

import { type ReactNode, useSyncExternalStore } from 'react'
import { shortHex } from '#lib/browser/format.ts'
import { chainFacts } from '#lib/protocol/chains.ts'
import { useValue } from '#lib/ui/components/value.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import type { Flow, FlowState } from './flow.ts'
import type { Network } from './network.ts'
import { PasskeyChoices } from './passkey-choices.tsx'
import type { WalletOption, Wallets } from './wallet.ts'
import { WalletIcon, WalletList } from './wallet-list.tsx'

/** The view of each step. */
export function FlowView({ flow, network, wallets }: { flow: Flow; network: Network; wallets: Wallets }) {
  const state = useValue(flow)
  const options = useSyncExternalStore(wallets.subscribe, wallets.getOptions)
  if (state.step === 'choose') {
    return (
      <>
        {state.trouble === undefined ? (
          <p className="mt-1 text-ink-soft text-sm">
            A passkey or a wallet is your account: no password, no e-mail. Signing in costs nothing.
          </p>
        ) : (
          <Trouble>{state.trouble}</Trouble>
        )}
        <div className="mt-4">
          <PasskeyChoices
            options={options}
            chain={network.chain}
            sponsored={network.sponsored}
            onChoose={(id) => void flow.choose(id)}
          />
        </div>
        <WalletList options={options} chain={network.chain} onChoose={(id) => void flow.choose(id)} />
      </>
    )
  }
  if (state.step === 'done') return <p className="mt-2 min-h-40 text-sm">Done.</p>
  return (
    <div className="mt-4 space-y-5">
      <div className="flex items-center gap-3">
        <WalletIcon option={state.option} />
        <div className="min-w-0">
          <p className="truncate font-medium">{state.option.name}</p>
          <Steps state={state} />
        </div>
      </div>
      <Step state={state} flow={flow} network={network} />
    </div>
  )
}

// Only WalletConnect needs the QR code.
const pairingCode = laterPart('The code', async () => (await import('./pairing-code.tsx')).PairingCode)

function connecting({ kind, name }: WalletOption): string {
  if (kind === 'passkey') return 'Your browser asks for the passkey. Unlock it as you unlock your device.'
  if (kind === 'burner') return 'Making a key in this browser…'
  if (kind === 'walletConnect') return 'Asking WalletConnect for a code…'
  return `Open ${name} and choose the account to use here.`
}

function signing({ kind, name }: WalletOption): string {
  return kind === 'passkey' ? 'Use your passkey to sign' : `Sign the message in ${name}`
}

const RENEWED = 'Signing took longer than the five minutes that a message counts: here is a new one. '

type Underway = Exclude<FlowState, { step: 'choose' | 'done' }>

function Step({ state, flow, network }: { state: Underway; flow: Flow; network: Network }) {
  const { option } = state
  const chainName = network.chain?.name ?? 'this network'
  const back = (
    <Button onClick={() => flow.back()} className="w-full">
      {option.kind === 'passkey' ? 'Another way to sign in' : 'Use another wallet'}
    </Button>
  )
  if ('trouble' in state && state.trouble !== undefined && state.step !== 'wrong_chain') {
    return (
      <>
        <Trouble>{state.trouble}</Trouble>
        <div className="grid gap-2.5">
          <Button look="filled" onClick={() => void flow.retry()} className="w-full">
            Try again
          </Button>
          {back}
        </div>
      </>
    )
  }
  switch (state.step) {
    case 'connect':
      return (
        <>
          {state.pairing === undefined ? (
            <Waiting>{connecting(option)}</Waiting>
          ) : (
            <LoadLater
              part={pairingCode}
              props={{ uri: state.pairing }}
              opening={<Waiting>{connecting(option)}</Waiting>}
            />
          )}
          {back}
        </>
      )
    case 'wrong_chain':
      return (
        <>
          {state.trouble === undefined ? null : <Trouble>{state.trouble}</Trouble>}
          <p className="text-sm">
            {option.name} is on another network ({chainFacts(state.chainId).name}). What is made here lives on{' '}
            <strong className="font-semibold">{chainName}</strong> ({network.chain?.id}).
          </p>
          <div className="grid gap-2.5">
            <Button look="filled" onClick={() => void flow.switchChain()} className="w-full">
              Switch to {chainName}
            </Button>
            <Button onClick={() => void flow.keepChain()} className="w-full">
              Sign in without switching
            </Button>
          </div>
        </>
      )
    case 'switching':
      return (
        <>
          <Waiting>
            Let {option.name} switch to {chainName}.
          </Waiting>
          {back}
        </>
      )
    case 'sign':
      return (
        <>
          <Waiting>
            {state.renewed ? RENEWED : ''}
            {signing(option)}, as <Short address={state.account} />. It proves the account is yours, costs
            nothing and sends no transaction.
          </Waiting>
          {back}
        </>
      )
  }
}

/** Progress: connect, then sign. */
function Steps({ state }: { state: Underway }) {
  const signing = state.step === 'sign'
  return (
    <ol className="flex gap-2 text-ink-soft text-xs">
      <li
        aria-current={signing ? undefined : 'step'}
        className="aria-[current]:font-semibold aria-[current]:text-ink"
      >
        1 Connect
      </li>
      <li aria-hidden="true">·</li>
      <li
        aria-current={signing ? 'step' : undefined}
        className="aria-[current]:font-semibold aria-[current]:text-ink"
      >
        2 Sign
      </li>
    </ol>
  )
}

function Waiting({ children }: { children: ReactNode }) {
  return (
    <div role="status" className="flex gap-3 text-sm">
      <span
        aria-hidden="true"
        className="mt-1 size-3.5 shrink-0 animate-spin rounded-full border-2 border-edge border-t-accent"
      />
      <p className="min-w-0">{children}</p>
    </div>
  )
}

function Trouble({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="mt-2 border-accent border-l-2 pl-3 text-sm [overflow-wrap:anywhere]">
      {children}
    </p>
  )
}

function Short({ address }: { address: string }) {
  return <span className="mono whitespace-nowrap text-xs">{shortHex(address)}</span>
}
