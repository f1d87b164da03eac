'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { counted, shortHex } from '#lib/browser/format.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { renameEverywhere } from '#lib/studio/document/commands/entries.ts'
import { entriesBelow } from '#lib/studio/document/node-ref.ts'
import type { Entry, StudioDocument } from '#lib/studio/document/types.ts'
import { Button } from '#lib/ui/components/button.tsx'
import { CopyLink } from '#lib/ui/components/copy-link.tsx'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { textLink } from '#lib/ui/components/link-style.ts'
import { AskNickname } from '#lib/ui/people/ask-nickname.tsx'
import { useSession as useAccountSession } from '#lib/ui/wallet/session/use-session.ts'
import { ProblemNotes } from '../common/problem-notes.tsx'
import { useCurrentSession, useDocument, useSession } from '../common/session.tsx'
import { Checks } from './checks.tsx'
import { type OwnWallet, signsPlans, useOwnWallet } from './own-wallet.ts'
import { usePieceForm } from './piece-form.tsx'
import {
  type AccountPlan,
  amountText,
  conflicts,
  gasText,
  itemKey,
  openItems,
  type PlanItem,
  planOf,
  planRequestOf,
} from './plan.ts'
import { PlanList } from './plan-list.tsx'
import { askPlan } from './requests.ts'
import { ShownForm } from './shown-form.tsx'
import { isInProgress, usePublisher } from './use-publisher.ts'
import { storeStill, takeBackStill } from './use-still.ts'
import { DEFAULT_CHOICES, gasOfWords } from './words.ts'
import { WordsForm } from './words-form.tsx'

/** After a publication, in milliseconds. */
const LISTED_AFTER_MS = [0, 2_000, 8_000]

/**
 * The plan of a publication: order, cost, conflicts; and publishing it, one transaction at a time.
 *
 * @param onClose Closes the plan; a publication in progress can be resumed later.
 */
export function PublicationPlan({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const present = useDocument()
  const problems = useSession((state) => state.problems)
  const session = useAccountSession()
  const account = session.status === 'signed_in' ? session.session.address : undefined
  // The plan is about the document as it was when the plan was opened or refreshed.
  const [snapshot, setSnapshot] = useState<StudioDocument>(present)
  const root = snapshot.entries.find(({ id }) => id === entry.id)
  const below = root === undefined ? [] : entriesBelow(snapshot, root)
  const wrong = problems.filter(
    ({ severity, at }) => severity === 'error' && below.some(({ id }) => id === at.entryId),
  )
  return (
    <section
      aria-labelledby="publication-plan"
      className="mb-8 rounded-lg border border-line bg-raised p-4 sm:p-6"
    >
      <div className="flex items-start justify-between gap-4">
        <h2 id="publication-plan" className="font-semibold text-xl [overflow-wrap:anywhere]">
          Publish {entry.name}
        </h2>
        <Button size="small" onClick={onClose} className="shrink-0">
          Close
        </Button>
      </div>
      {root === undefined || snapshot !== present ? (
        <p className="mt-3 text-sm">
          The document has changed since.{' '}
          <button
            type="button"
            className={`${textLink} cursor-pointer font-medium`}
            onClick={() => setSnapshot(present)}
          >
            Make the plan anew
          </button>
        </p>
      ) : null}
      {root === undefined ? null : wrong.length > 0 && snapshot === present ? (
        <div className="mt-4 space-y-2">
          <p>Before it can be published:</p>
          <ProblemNotes problems={wrong} />
        </div>
      ) : (
        <Planned key={account ?? ''} document={snapshot} root={root} account={account} />
      )}
    </section>
  )
}

function Planned({
  document,
  root,
  account,
}: {
  document: StudioDocument
  root: Entry
  account: Address | undefined
}) {
  const { refresh } = useCurrentSession().library
  const request = planRequestOf(document, root, account)
  const asked = useQuery({
    queryKey: ['publication-plan', request],
    enabled: request !== undefined,
    queryFn: () => askPlan(request as NonNullable<typeof request>),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const answer = asked.data
  const [plan, setPlan] = useState<AccountPlan>()
  useEffect(() => {
    if (answer?.outcome === 'planned') setPlan(planOf(answer, account))
  }, [answer, account])
  const refetch = asked.refetch
  const queries = useQueryClient()
  const { piece, still, isStillDeclined, waiting, form, shown } = usePieceForm(document, root)
  const keepStill = useCallback(() => {
    const own = plan?.items.find(({ kind, name }) => kind === root.kind && name === root.name)
    if (isStillDeclined) void takeBackStill(root.name)
    else if (still !== undefined && own !== undefined) void storeStill(root.name, own.contentHash, still)
  }, [root, plan, still, isStillDeclined])
  const onEnd = useCallback(() => {
    void refetch()
    keepStill()
    for (const { kind, name } of entriesBelow(document, root)) refresh(kind, name)
    // The list of what is published follows the indexer, which is a moment behind the chain.
    for (const afterMs of LISTED_AFTER_MS) {
      setTimeout(() => void queries.invalidateQueries({ queryKey: ['feed'] }), afterMs)
    }
  }, [refetch, refresh, queries, document, root, keepStill])
  const own = useOwnWallet(account)
  const [choices, setChoices] = useState(DEFAULT_CHOICES)
  const paymaster = typeof own.state?.network.paymaster === 'string'
  const words = useMemo(() => ({ ...choices, piece }), [choices, piece])
  const publishing = usePublisher(plan, document, account, words, paymaster, onEnd)

  if (request === undefined) return <Sentence>A number of it is not finished yet.</Sentence>
  if (asked.isError && plan === undefined) {
    return (
      <Sentence alert>
        {asked.error instanceof Error && asked.error.message !== ''
          ? asked.error.message
          : 'The site does not answer.'}{' '}
        <button type="button" className={`${textLink} cursor-pointer`} onClick={() => void refetch()}>
          Try again
        </button>
      </Sentence>
    )
  }
  if (answer?.outcome === 'invalid') {
    return (
      <div className="mt-4 space-y-2 text-sm" role="alert">
        <p>It cannot be built yet:</p>
        <ul className="list-disc space-y-1 pl-5">
          {answer.problems.map(({ kind, name, message }) => (
            <li key={`${kind}/${name}/${message}`} className="[overflow-wrap:anywhere]">
              <span className="mono text-xs">{name}</span>: {message}
            </li>
          ))}
        </ul>
      </div>
    )
  }
  if (plan === undefined) return <Sentence>Looking at what is published…</Sentence>

  const open = openItems(plan)
  const blocked = conflicts(plan)
  const begun = plan.items.some((item) => isInProgress(publishing.progress.get(itemKey(item))))
  const ready = own.state?.is === 'ready' && blocked.length === 0
  const transactions = transactionsOf(open.length, own, plan)
  return (
    <div className="mt-3 space-y-5">
      <Summary
        plan={plan}
        transactions={transactions}
        signs={signsPlans(own.state)}
        gasOfWords={gasOfWords(plan.items, document, words)}
      />
      <Checks plan={plan} account={account} own={own} />
      {open.some(({ kind, name }) => kind === root.kind && name === root.name)
        ? form(publishing.is === 'running')
        : null}
      <PlanList
        plan={plan}
        publishing={publishing}
        explorer={own.state?.network.chain?.explorer_url ?? undefined}
      />
      <WordsForm
        items={open}
        document={document}
        choices={words}
        onChange={setChoices}
        disabled={publishing.is === 'running'}
      />
      {blocked.length > 0 ? <Blocked names={blocked.filter(({ inDocument }) => inDocument)} /> : null}
      {open.length === 0 ? (
        blocked.length > 0 ? null : (
          <>
            <Published root={root} plan={plan} account={account} justNow={publishing.progress.size > 0} />
            {ownerOf(plan, root) === account && account !== undefined ? (
              <ShownForm
                shown={shown}
                begun={publishing.progress.size === 0}
                onSaved={() => refresh(root.kind, root.name)}
              />
            ) : null}
          </>
        )
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            look="primary"
            disabled={!ready || publishing.is !== 'idle' || asked.isFetching || waiting !== undefined}
            onClick={() => {
              // With the draft, so that it is there however soon the author leaves.
              keepStill()
              publishing.run()
            }}
          >
            {publishing.is === 'running'
              ? 'Publishing…'
              : begun
                ? 'Go on'
                : `Publish with ${counted(transactions, 'transaction')}`}
          </Button>
          <p role="status" className="min-w-0 text-ink-soft text-sm">
            {waiting ??
              hint(publishing.is, blocked.length > 0, account === undefined, askedBy(own), [
                open.length,
                transactions,
              ])}
          </p>
        </div>
      )}
    </div>
  )
}

/** The end of a plan; another owner may have published exactly this. */
function Published({
  root,
  plan,
  account,
  justNow,
}: {
  root: Entry
  plan: AccountPlan
  account: Address | undefined
  /** Whether the publication was seen here. */
  justNow: boolean
}) {
  const end = useRef<HTMLDivElement>(null)
  // The plan has just become shorter, so that what is in sight may be below it.
  useEffect(() => {
    if (justNow) end.current?.scrollIntoView({ block: 'nearest' })
  }, [justNow])
  const publishedBy = ownerOf(plan, root)
  const owner = publishedBy === account ? undefined : publishedBy
  return (
    <div ref={end} className="space-y-5">
      <p role="status" className="font-medium">
        {owner === undefined || account === undefined
          ? 'Everything is published. '
          : `Everything is published; 0x${shortHex(owner)} published ${root.name} exactly as it is here. `}
        <a className={textLink} href={entityHref(root.kind, root.name)}>
          See {root.name}
        </a>
      </p>
      {owner === undefined ? <CopyLink href={entityHref(root.kind, root.name)} /> : null}
      {owner === undefined && account !== undefined ? <AskNickname account={account} /> : null}
    </div>
  )
}

/** The account that published exactly this; undefined where none did. */
function ownerOf({ items }: AccountPlan, root: Entry): Address | undefined {
  const standing = items.find(({ kind, name }) => kind === root.kind && name === root.name)?.standing
  return standing?.state === 'published' ? standing.owner : undefined
}

/** Names that belong to others, and a way to publish under names that are free. */
function Blocked({ names }: { names: readonly PlanItem[] }) {
  const { document: store, freeNames, announce } = useCurrentSession()
  const rename = async () => {
    const taken = new Set(names.map(({ kind, name }) => `${kind}/${name}`))
    const { entries } = store.getState().document
    const own = entries.filter(({ kind, name }) => taken.has(`${kind}/${name}`))
    const free = await freeNames(own)
    store.edit('Rename what is taken', (document) =>
      free.reduce((next, { id: entryId, name }) => renameEverywhere(next, { entryId, name }), document),
    )
    announce(`Renamed to ${free.map(({ name }) => name).join(', ')}. Undo brings the old names back.`)
  }
  if (names.length === 0) return null
  return (
    <div role="alert" className="space-y-2">
      <p className="[overflow-wrap:anywhere]">
        Another account has {names.length === 1 ? 'the name' : 'the names'}{' '}
        <span className="mono text-sm">{names.map(({ name }) => name).join(', ')}</span> already, and what is
        published never changes. Under another name, yours can be published.
      </p>
      <Button onClick={() => void rename()}>Rename {names.length === 1 ? 'it' : 'them'} for me</Button>
    </div>
  )
}

/** Of wallets that only sign, the site sends one transaction for each entity, without a prompt, unless it pays. */
function transactionsOf(entities: number, own: OwnWallet, { sponsored }: AccountPlan): number {
  return !sponsored && signsByItself(own) ? entities : 1
}

function signsByItself({ state }: OwnWallet): boolean {
  return state?.is === 'ready' && state.wallet.signTransaction !== undefined
}

/** The prompts of a publication, in words; empty for wallets that sign without a prompt. */
function askedBy(own: OwnWallet): string {
  if (signsByItself(own)) return ''
  const { state } = own
  const isPasskey = state?.is === 'ready' && state.wallet.option.kind === 'passkey'
  return isPasskey
    ? 'Your browser asks for the passkey, twice where you signed in a while ago.'
    : 'The wallet asks once.'
}

function hint(
  is: string,
  blocked: boolean,
  visitor: boolean,
  asks: string,
  [entities, transactions]: readonly [number, number],
): string {
  if (visitor) return 'Sign in first: what is published belongs to your account.'
  if (blocked) return 'A name is taken: see above.'
  if (is === 'elsewhere') return 'Another tab is publishing for this account. This one waits.'
  if (is === 'no_storage') {
    return 'This browser keeps nothing for this site, so it could not be told whether something was sent already. Allow storage to publish.'
  }
  if (is === 'running') return 'You can close this page at any time and go on later.'
  if (transactions > 1) return 'Each is sent by itself, in this order.'
  const together = entities === 1 ? '' : 'All are published together, or none is.'
  return `${asks} ${together}`.trim()
}

function Summary({
  plan,
  transactions,
  signs,
  gasOfWords: more,
}: {
  plan: AccountPlan
  transactions: number
  /** Whether the wallet surely signs plans. */
  signs: boolean
  gasOfWords: bigint
}) {
  const open = openItems(plan).length
  if (open === 0) return null
  const gas = plan.gas + more
  const priced = (cost: bigint) => (plan.gas === 0n ? cost : (cost * gas) / plan.gas)
  return (
    <p className="max-w-prose">
      <strong className="font-semibold">
        {counted(open, 'publication')} in {counted(transactions, 'transaction')}
      </strong>
      , about {gasText(gas)} gas: probably{' '}
      <strong className="font-semibold">{amountText(priced(plan.cost.likely), plan.currency)}</strong>
      {plan.cost.data > 0n
        ? `, of which ${amountText(priced(plan.cost.data), plan.currency)} pay for its data on Ethereum`
        : ''}
      {plan.sponsored
        ? `, which this site pays${signs ? '' : ' if your wallet can sign the plan; otherwise the wallet pays'}. What is published is yours.`
        : `. Wallets set aside up to ${amountText(priced(plan.cost.most), plan.currency)} and give back what is not used.`}
    </p>
  )
}

function Sentence({ children, alert = false }: { children: ReactNode; alert?: boolean }) {
  return (
    <p role={alert ? 'alert' : 'status'} className="mt-4">
      {children}
    </p>
  )
}
