'use client'

import { type ReactNode, useId, useState } from 'react'
import { shortHex } from '#lib/browser/format.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { kindWord } from '#lib/protocol/kind-name.ts'
import { DependenceLine } from '#lib/ui/components/dependence.tsx'
import { entityHref, ownerHref } from '#lib/ui/components/entity-href.ts'
import { KindMark } from '#lib/ui/components/kind-mark.tsx'
import { Button } from '#lib/ui/kit/button.tsx'
import { CopyButton } from '#lib/ui/kit/copy-button.tsx'
import { TextField } from '#lib/ui/kit/field.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { type AccountPlan, gasText, itemKey, type PlanItem } from './plan.ts'
import type { Progress } from './publisher-parts.ts'
import type { Publishing } from './use-publisher.ts'

/** Items of a plan in their order, with those that are there already and the progress of each. */
export function PlanList({
  plan,
  publishing,
  explorer,
}: {
  plan: AccountPlan
  publishing: Publishing
  explorer: string | undefined
}) {
  return (
    <ol aria-label="Order of publication" className="divide-y divide-line border-line border-y">
      {plan.items.map((item, number) => {
        const progress = publishing.progress.get(itemKey(item))
        return (
          <li key={itemKey(item)} className="flex gap-3 py-3">
            <KindMark kind={item.kind} />
            <div className="min-w-0 flex-1">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <p className="mono font-medium text-sm [overflow-wrap:anywhere]">
                  <span className="sr-only">{kindWord(item.kind)} </span>
                  {item.name}
                </p>
                {item.standing.state === 'open' ? (
                  <p className="mono text-ink-soft text-xs">about {gasText(item.gas)} gas</p>
                ) : null}
              </div>
              <div className="text-sm">
                <Row
                  item={item}
                  progress={progress}
                  publishing={publishing}
                  explorer={explorer}
                  sponsored={plan.sponsored}
                />
              </div>
              {number === plan.items.length - 1 || item.traits.dependsOn !== 'input' ? (
                <div className="mt-2">
                  <DependenceLine traits={item.traits} />
                </div>
              ) : null}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

interface RowProps {
  item: PlanItem
  progress: Progress | undefined
  publishing: Publishing
  explorer: string | undefined
  /** Whether the plan counts on the site to pay. */
  sponsored: boolean
}

function Row(row: RowProps) {
  const { item, progress, explorer } = row
  const { standing } = item
  if (progress?.at === 'done' && standing.state !== 'taken') {
    return (
      <Line tone="good">
        Published
        {progress.block === undefined ? '' : ` in block ${progress.block}`}.{' '}
        {progress.txHash === undefined ? null : <Transaction hash={progress.txHash} explorer={explorer} />}
      </Line>
    )
  }
  if (standing.state === 'published') {
    return (
      <Line tone="good">
        Published already:{' '}
        <a className={textLink} href={entityHref(item.kind, item.name)}>
          exactly this
        </a>
        .
      </Line>
    )
  }
  if (standing.state === 'taken') {
    return (
      <Line tone="bad">
        Something else is published under this name, by <Owner address={standing.owner} />. What is published
        never changes: give yours another name, or use what is there.
      </Line>
    )
  }
  if (standing.state === 'held') {
    return (
      <Line tone="bad">
        It is a draft of <Owner address={standing.owner} />, so only that account can publish it. Give yours
        another name, or wait until it is published.
      </Line>
    )
  }
  return <Open {...row} />
}

function Open({ item, progress, publishing, explorer, sponsored }: RowProps) {
  switch (progress?.at) {
    case 'saving':
      return <Line tone="busy">Saving the draft on the server…</Line>
    case 'preparing':
      return <Line tone="busy">Checking that the chain will take it…</Line>
    case 'signing':
      return <Line tone="busy">Sign it in the wallet. This site pays.</Line>
    case 'asking':
      return (
        <Line tone="busy">
          {sponsored ? 'Your wallet pays for this one. ' : ''}Confirm the transaction in the wallet.
        </Line>
      )
    case 'batched':
      return <Line tone="busy">The wallet has it and is sending it.</Line>
    case 'sent':
      return (
        <Line tone={publishing.is === 'running' ? 'busy' : 'plain'}>
          Sent, and waiting to be mined. <Transaction hash={progress.txHash} explorer={explorer} />
        </Line>
      )
    case 'declined':
      return <Line tone="plain">Declined in the wallet. Nothing was sent.</Line>
    case 'failed':
      return <Line tone="bad">{progress.trouble}</Line>
    case 'unanswered':
      return <Unanswered item={item} trouble={progress.trouble} publishing={publishing} />
    default:
      return (
        <Line tone="plain">
          {item.inDocument ? 'To be published.' : 'To be published, from your draft on the server.'}
        </Line>
      )
  }
}

/** The wallet did not answer: the transaction may have been sent. */
function Unanswered({
  item,
  trouble,
  publishing,
}: {
  item: PlanItem
  trouble: string | undefined
  publishing: Publishing
}) {
  const id = useId()
  const [text, setText] = useState('')
  const hash = /^0x[0-9a-fA-F]{64}$/.test(text.trim()) ? (text.trim().toLowerCase() as Hash) : undefined
  const { publisher } = publishing
  return (
    <div className="mt-1 space-y-3 border-weld border-l-2 pl-3">
      <p role="alert">
        {trouble === undefined ? '' : `${trouble} `}It is not known whether the wallet sent this. Nothing is
        sent again until it is: look into the wallet’s own list of transactions. If it was sent, it shows here
        by itself once it is mined.
      </p>
      <div className="flex flex-wrap items-end gap-2">
        <label htmlFor={id} className="min-w-0 flex-1 basis-64">
          Its hash, if you see one
          <TextField
            code
            id={id}
            value={text}
            onText={setText}
            placeholder="0x…"
            className="mt-1 block text-xs"
          />
        </label>
        <Button
          disabled={hash === undefined}
          onClick={() => {
            if (hash !== undefined) void publisher?.enterHash(item, hash).then(() => resumeIfIdle(publishing))
          }}
        >
          Follow it
        </Button>
        <Button onClick={() => void publisher?.forget(item).then(() => resumeIfIdle(publishing))}>
          It was not sent
        </Button>
      </div>
    </div>
  )
}

/** While nothing runs, the answer starts it again. */
function resumeIfIdle({ is, run }: Publishing): void {
  if (is === 'idle') run()
}

function Transaction({ hash, explorer }: { hash: Hash; explorer: string | undefined }) {
  if (explorer !== undefined) {
    return (
      <a className={textLink} href={`${explorer}/tx/${hash}`} target="_blank" rel="noreferrer">
        Transaction {shortHex(hash)}
      </a>
    )
  }
  return (
    <span className="whitespace-nowrap">
      Transaction <span className="mono text-xs">{shortHex(hash)}</span>
      <CopyButton text={hash} what="transaction hash" />
    </span>
  )
}

function Owner({ address }: { address: `0x${string}` }) {
  return (
    <a className={`${textLink} mono text-xs`} href={ownerHref(address)}>
      0x{shortHex(address)}
    </a>
  )
}

const TONES = { plain: 'text-ink-soft', busy: '', good: 'text-ink-soft', bad: 'text-madder' } as const

function Line({ tone, children }: { tone: keyof typeof TONES; children: ReactNode }) {
  return (
    <p role={tone === 'bad' ? 'alert' : undefined} className={`flex gap-2 ${TONES[tone]}`}>
      {tone === 'busy' ? (
        <span
          aria-hidden="true"
          className="mt-1 size-3.5 shrink-0 animate-spin rounded-full border-2 border-edge border-t-accent"
        />
      ) : tone === 'good' ? (
        <span aria-hidden="true" className="text-verdigris">
          ✓
        </span>
      ) : null}
      <span className="min-w-0">{children}</span>
    </p>
  )
}
