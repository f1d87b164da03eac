'use client'

import { shortHex } from '#lib/browser/format.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { knownPasskey } from './known-passkey.ts'
import type { NetworkChain } from './network.ts'
import type { WalletOption } from './wallet.ts'
import { WalletRow } from './wallet-list.tsx'

/** Signing in with a passkey, and what that means; why not, where the chain cannot carry it. */
export function PasskeyChoices({
  options,
  chain,
  sponsored,
  onChoose,
}: {
  options: readonly WalletOption[]
  chain: NetworkChain | null
  sponsored: boolean
  onChoose: (id: string) => void
}) {
  const passkeys = options.filter(({ kind }) => kind === 'passkey')
  if (passkeys.length === 0) {
    return chain === null ? null : (
      <p className="text-ink-soft text-xs">
        Signing in without a wallet, by a passkey, is not possible on {chain.name}: the contract for it is not
        deployed there.
      </p>
    )
  }
  const [first, otherOption] = passkeys
  const account = chain?.passkey_factory ? knownPasskey(chain.passkey_factory)?.account : undefined
  return (
    <section aria-label="Passkey" className="space-y-2">
      {first === undefined ? null : (
        <WalletRow
          option={{ ...first, name: 'Continue with a passkey' }}
          onChoose={onChoose}
          note={
            account === undefined
              ? 'New here? Your device makes a key, behind your fingerprint, face or PIN. No wallet, no coins.'
              : `As ${shortHex(account)}, known in this browser.`
          }
        />
      )}
      {otherOption === undefined ? null : (
        <Button look="text" size="small" className="px-0" onClick={() => onChoose(otherOption.id)}>
          {account === undefined ? 'I have a passkey for this site' : 'Use another passkey'}
        </Button>
      )}
      {sponsored ? null : (
        <p className="text-sm">
          With a passkey you can do everything here but publish: this site does not pay for publications, and
          an account of a passkey sends none itself.
        </p>
      )}
      <details className="text-sm">
        <summary className="cursor-pointer font-medium hover:text-accent">Passkey or wallet?</summary>
        <div className="mt-1.5 space-y-1.5 text-ink-soft">
          <p>
            A passkey is kept by your device or password manager, and works on this site only. It is enough to
            publish. Lose it, with all its copies, and the account cannot be brought back: what you published
            stays as it is, in its name.
          </p>
          <p>
            A wallet keeps a key that works everywhere, holds coins, and can be backed up by words on paper.
            What one account has published cannot be moved to another: to change, sign in with a wallet and go
            on there.
          </p>
        </div>
      </details>
    </section>
  )
}
