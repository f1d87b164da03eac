'use client'

import { counted } from '#lib/browser/format.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { StudioDocument } from '#lib/studio/document/types.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import type { Network } from '#lib/ui/wallet/connect/network.ts'
import { prompt } from '#lib/ui/wallet/prompt.ts'
import { type OwnWallet, signsPlans } from './own-wallet.ts'
import { type AccountPlan, amountText, conflicts, itemKey, openItems } from './plan.ts'
import type { Publication } from './use-publication.ts'
import { isInProgress } from './use-publisher.ts'
import { gasOfWords } from './words.ts'

/** The one button of the card, with its cost, the wallet's prompts and the progress. It stays in sight. */
export function PublishFoot({
  document,
  plan,
  account,
  publication,
}: {
  document: StudioDocument
  plan: AccountPlan
  account: Address | undefined
  publication: Publication
}) {
  const { publishing, isRequested, isDearer, piece, wallet, words, publish } = publication
  const open = openItems(plan)
  const blocked = conflicts(plan).length > 0
  const begun = plan.items.some((item) => isInProgress(publishing.progress.get(itemKey(item))))
  const ready = wallet.state?.is === 'ready' && !blocked
  const transactions = transactionsOf(plan, wallet)
  return (
    <div className="tall:sticky bottom-0 z-raised -mx-3 mt-auto border-line border-t bg-ground px-3 py-3 sm:-mx-4 sm:px-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {account === undefined ? (
          <Button look="filled" onClick={() => void prompt('sign_in')}>
            Sign in
          </Button>
        ) : (
          <Button
            look="filled"
            disabled={!ready || isRequested || publishing.is !== 'idle' || piece.waiting !== undefined}
            onClick={publish}
          >
            {isRequested || publishing.is === 'running' ? 'Publishing…' : begun ? 'Go on' : 'Publish now'}
          </Button>
        )}
        <div className="min-w-0 flex-1 basis-56 text-sm">
          <p className="font-medium">{costText(plan, wallet, gasOfWords(plan.items, document, words))}</p>
          <p role="status" className="text-ink-soft">
            {piece.waiting ??
              (isDearer ? 'It costs more than when you pressed: press again if you agree.' : undefined) ??
              hint(publishing.is, blocked, account === undefined, askedBy(wallet), [
                open.length,
                transactions,
              ])}
          </p>
        </div>
      </div>
    </div>
  )
}

/** Transactions of a plan: one for each entity of a wallet that signs without a prompt, unless the site pays. */
export function transactionsOf(plan: AccountPlan, own: OwnWallet): number {
  return !plan.sponsored && signsByItself(own) ? openItems(plan).length : 1
}

/** Wei for a plan with its words, of an amount for the plan without them. */
export function withWords(plan: AccountPlan, gasOfItsWords: bigint, amount: bigint): bigint {
  return plan.gas === 0n ? amount : (amount * (plan.gas + gasOfItsWords)) / plan.gas
}

/** The chain with its name, in words. */
export function keeperText(network: Network | undefined): string {
  const name = network?.chain?.name
  return `${name === undefined ? '' : `${name}, `}the public network that stores what is published`
}

function costText(plan: AccountPlan, { state }: OwnWallet, more: bigint): string {
  const fee = `the fee of ${keeperText(state?.network)}`
  if (plan.sponsored)
    return signsPlans(state)
      ? `Free: this site pays ${fee}.`
      : `Free if your wallet can sign all of it at once: this site then pays ${fee}.`
  return `About ${amountText(withWords(plan, more, plan.cost.likely), plan.currency)}, ${fee}.`
}

function signsByItself({ state }: OwnWallet): boolean {
  return state?.is === 'ready' && state.wallet.signTransaction !== undefined
}

/** The prompts of a publication, in words; empty for wallets that sign without a prompt. */
function askedBy(own: OwnWallet): string {
  if (signsByItself(own)) return ''
  const { state } = own
  const isPasskey = state?.is === 'ready' && state.wallet.option.kind === 'passkey'
  return isPasskey ? 'Your browser asks for the passkey, once.' : 'The wallet asks once.'
}

function hint(
  is: string,
  blocked: boolean,
  visitor: boolean,
  asks: string,
  [entities, transactions]: readonly [number, number],
): string {
  if (visitor) return 'Sign in first: what is published belongs to your account.'
  if (blocked) return 'A name is taken: see the details.'
  if (is === 'elsewhere') return 'Another tab is publishing for this account. This one waits.'
  if (is === 'no_storage') {
    return 'This browser keeps nothing for this site, so it could not be told whether something was sent already. Allow storage to publish.'
  }
  if (is === 'running') return 'You can close this page at any time and go on later.'
  if (transactions > 1) return `In ${counted(transactions, 'transaction')}, one after the other.`
  const together = entities === 1 ? '' : 'All of it is published together, or nothing is.'
  return `${asks} ${together}`.trim()
}
