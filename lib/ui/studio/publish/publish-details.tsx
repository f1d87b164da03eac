'use client'

import { useEffect, useId, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { MAX_DESCRIPTION_LENGTH } from '#lib/protocol/author-metadata.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { renameEverywhere } from '#lib/studio/document/commands/entries.ts'
import type { StudioDocument } from '#lib/studio/document/types.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { Check } from '#lib/ui/kit/choice.tsx'
import { TextArea } from '#lib/ui/kit/field.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { useCurrentSession } from '../common/session.tsx'
import { Checks } from './checks.tsx'
import { signsPlans } from './own-wallet.ts'
import {
  type AccountPlan,
  amountText,
  conflicts,
  gasText,
  itemKey,
  openItems,
  type PlanItem,
} from './plan.ts'
import { PlanList } from './plan-list.tsx'
import { transactionsOf, withWords } from './publish-foot.tsx'
import type { Publication } from './use-publication.ts'
import { gasOfWords, wordsOf } from './words.ts'

/** Contents of the publication, in a fold that opens by itself where something of it needs attention. */
export function PublishDetails({
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
  const { own, publishing, wallet, piece } = publication
  const open = openItems(plan)
  const blocked = conflicts(plan)
  const running = publishing.is === 'running'
  const [unfolded, setUnfolded] = useState(false)
  const attention = needsAttention(plan, publication)
  useEffect(() => {
    if (attention) setUnfolded(true)
  }, [attention])
  return (
    <details
      data-details
      open={unfolded}
      onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}
      className="my-4 border-line border-t"
    >
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium text-sm">
        Details
        <span className="font-normal text-ink-soft">
          : {counted(open.length, 'part')}, the source, the picture, the cost
        </span>
      </summary>
      <div className="space-y-5 pb-2">
        <Summary plan={plan} document={document} publication={publication} />
        <Checks plan={plan} account={account} own={wallet} />
        <PlanList
          plan={plan}
          publishing={publishing}
          explorer={wallet.state?.network.chain?.explorer_url ?? undefined}
        />
        {blocked.length > 0 ? <Blocked names={blocked.filter(({ inDocument }) => inDocument)} /> : null}
        <fieldset disabled={running} className="space-y-4">
          <legend className="sr-only">What is published with it</legend>
          {own?.standing.state === 'open' ? piece.choices : null}
          <PartWords
            items={open.filter(({ inDocument }) => inDocument)}
            own={own}
            document={document}
            words={publication.words}
            setChoices={publication.setChoices}
          />
        </fieldset>
      </div>
    </details>
  )
}

/** Whether something has to be seen before the publication can go on. */
function needsAttention(plan: AccountPlan, { publishing, wallet: { state } }: Publication): boolean {
  if (conflicts(plan).length > 0) return true
  if (state !== undefined && state.is !== 'ready') return true
  const pays = !plan.sponsored && plan.balance !== undefined && plan.balance < plan.cost.most
  if (pays || (!plan.sponsored && state?.wallet.option.kind === 'passkey')) return true
  return [...publishing.progress.values()].some(({ at }) => ['failed', 'unanswered', 'declined'].includes(at))
}

function Summary({
  plan,
  document,
  publication: { wallet, words },
}: {
  plan: AccountPlan
  document: StudioDocument
  publication: Publication
}) {
  const open = openItems(plan).length
  if (open === 0) return null
  const more = gasOfWords(plan.items, document, words)
  const priced = (cost: bigint) => amountText(withWords(plan, more, cost), plan.currency)
  return (
    <p className="max-w-prose text-sm">
      <strong className="font-semibold">
        {counted(open, 'publication')} in {counted(transactionsOf(plan, wallet), 'transaction')}
      </strong>
      , about {gasText(plan.gas + more)} gas: probably{' '}
      <strong className="font-semibold">{priced(plan.cost.likely)}</strong>
      {plan.cost.data > 0n ? `, of which ${priced(plan.cost.data)} pay for its data on Ethereum` : ''}
      {plan.sponsored
        ? `, which this site pays${signsPlans(wallet.state) ? '' : ' if your wallet can sign all of it at once; otherwise the wallet pays'}. What is published is yours.`
        : `. Wallets set aside up to ${priced(plan.cost.most)} and give back what is not used.`}
    </p>
  )
}

/** Names that belong to others, and a way to publish under names that are free. */
function Blocked({ names }: { names: readonly PlanItem[] }) {
  const { document: store, freeNames, announce } = useCurrentSession()
  const rename = async () => {
    const takenKeys = new Set(names.map(({ kind, name }) => `${kind}/${name}`))
    const { entries } = store.getState().document
    const own = entries.filter(({ kind, name }) => takenKeys.has(`${kind}/${name}`))
    const free = await freeNames(own)
    store.edit('Rename what is taken', (document) =>
      free.reduce((next, { id: entryId, name }) => renameEverywhere(next, { entryId, name }), document),
    )
    announce(`Renamed to ${free.map(({ name }) => name).join(', ')}.`, store.getState().document)
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

/** Whether the source is published, and what the parts do. */
export function PartWords({
  items,
  own,
  document,
  words,
  setChoices,
}: {
  items: readonly PlanItem[]
  document: StudioDocument
} & Pick<Publication, 'own' | 'words' | 'setChoices'>) {
  const id = useId()
  return (
    <>
      {items.some(({ kind }) => kind !== 'connector') ? (
        <div>
          <Check
            onCheck={(openSource) => setChoices((before) => ({ ...before, openSource }))}
            checked={words.openSource}
            aria-describedby={`${id}-open`}
            className="min-h-11 font-medium"
          >
            Publish the source
          </Check>
          <p id={`${id}-open`} className="max-w-prose text-ink-soft text-sm">
            Anyone can read how it works and remix it. What is published stays published. Without the source
            only the compiled code is public.{' '}
            <a className={textLink} href="/docs/authors-words">
              What is published
            </a>
          </p>
        </div>
      ) : null}
      {items
        .filter((item) => item !== own)
        .map((item) => (
          <Description
            key={itemKey(item)}
            name={item.name}
            text={words.descriptions.get(itemKey(item)) ?? ''}
            problem={wordsOf(item, document, words).problem}
            onText={(text) =>
              setChoices((before) => ({
                ...before,
                descriptions: new Map(before.descriptions).set(itemKey(item), text),
              }))
            }
          />
        ))}
    </>
  )
}

function Description({
  name,
  text,
  problem,
  onText,
}: {
  name: string
  text: string
  problem: string | undefined
  onText: (text: string) => void
}) {
  return (
    <div className="text-sm">
      <label className="block">
        <span className="font-medium">
          What <span className="mono [overflow-wrap:anywhere]">{name}</span> does
        </span>{' '}
        <span className="text-ink-soft">(optional)</span>
        <TextArea
          rows={2}
          maxLength={MAX_DESCRIPTION_LENGTH}
          value={text}
          onText={onText}
          className="mt-1 max-w-prose"
        />
      </label>
      {problem === undefined ? null : (
        <p role="status" className="mt-1 max-w-prose">
          {problem}
        </p>
      )}
    </div>
  )
}
