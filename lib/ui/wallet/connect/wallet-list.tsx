'use client'

import { KeyRound } from 'lucide-react'
import { Mark } from '#lib/ui/components/logo.tsx'
import { Row } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import type { NetworkChain } from './network.ts'
import type { WalletOption } from './wallet.ts'

/** The list of wallets, or how to get one. */
export function WalletList({
  options,
  chain,
  onChoose,
}: {
  options: readonly WalletOption[]
  chain: NetworkChain | null
  onChoose: (id: string) => void
}) {
  const own = options.filter(({ kind }) => kind === 'extension' || kind === 'walletConnect')
  const burner = options.find(({ kind }) => kind === 'burner')
  return (
    <div className="mt-4 space-y-4">
      {own.length === 0 ? (
        <NoWallet />
      ) : (
        <ul aria-label="Wallets" className="space-y-2">
          {own.map((option) => (
            <li key={option.id}>
              <WalletRow
                option={option}
                onChoose={onChoose}
                {...(option.kind === 'walletConnect'
                  ? { note: 'A wallet on your phone, by a code to scan.' }
                  : option.last && { note: 'Used last' })}
              />
            </li>
          ))}
        </ul>
      )}
      <details className="text-sm">
        <summary className="cursor-pointer font-medium hover:text-accent">What is a wallet?</summary>
        <p className="mt-1.5 text-ink-soft">
          A wallet is a program that keeps a secret key for you and signs with it what you agree to. Here it
          takes the place of a password: what you publish belongs to your key, on this site and without it.
          The key stays in the wallet, so keep its backup: without it your account cannot be brought back.
        </p>
      </details>
      {burner === undefined ? null : (
        <div className="border-line border-t pt-4">
          <WalletRow
            option={burner}
            onChoose={onChoose}
            note={`For trying things out on the ${chain?.name.toLowerCase() ?? 'development chain'}. Its key lies unprotected in this browser.`}
          />
        </div>
      )}
    </div>
  )
}

/** A way to sign in. */
export function WalletRow({
  option,
  onChoose,
  note,
}: {
  option: WalletOption
  onChoose: (id: string) => void
  note?: string
}) {
  return (
    <Row look="boxed" onClick={() => onChoose(option.id)} className="min-h-14 px-3 py-2.5">
      <WalletIcon option={option} />
      <span className="min-w-0">
        <span className="block truncate font-medium">{option.name}</span>
        {note === undefined ? null : <span className="block text-ink-soft text-xs">{note}</span>}
      </span>
    </Row>
  )
}

/** The wallet's icon, or a default. */
export function WalletIcon({ option }: { option: WalletOption }) {
  if (option.icon !== undefined) {
    // biome-ignore lint/performance/noImgElement: an image inside the text itself has nothing to optimise
    return <img src={option.icon} alt="" className="size-8 shrink-0 rounded-md" />
  }
  if (option.kind === 'passkey')
    return <KeyRound className="size-8 shrink-0 p-0.5 text-ink-soft" aria-hidden="true" />
  if (option.kind === 'burner') return <Mark className="size-8 shrink-0" />
  return (
    <svg
      viewBox="0 0 32 32"
      className="size-8 shrink-0 text-ink-soft"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
    >
      <rect x="4" y="8" width="24" height="17" rx="3" />
      <path d="M28 14h-7a2.5 2.5 0 0 0 0 5h7" />
    </svg>
  )
}

function NoWallet() {
  return (
    <p className="text-ink-soft text-sm">
      This browser has no wallet. On a computer, one is an extension (
      <a
        className={textLink}
        href="https://ethereum.org/en/wallets/find-wallet/"
        rel="noreferrer"
        target="_blank"
      >
        how to choose
      </a>
      ): install it, then reload this page. On a phone, open this page in the browser of your wallet app.
    </p>
  )
}
