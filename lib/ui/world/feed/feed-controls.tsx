'use client'

import { Dices, Shuffle } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { counted, formatInteger } from '#lib/browser/format.ts'
import { plainNumber } from '#lib/browser/typed-number.ts'
import { countRange, type WholeRange, type WorldLimits, within } from '#lib/protocol/world-manifest.ts'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { PieceName } from '#lib/ui/components/piece-name.tsx'
import { Button } from '#lib/ui/kit/button.tsx'
import { NumberField } from '#lib/ui/kit/field.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { Slider } from '#lib/ui/kit/slider.tsx'
import { StartFields } from '#lib/ui/run/start-fields.tsx'
import { ConnectorChoice, type OfferedChoice } from './connector-choice.tsx'
import { FitBadge } from './fit-badge.tsx'
import { openLines } from './random-starts.ts'
import { SlotFields } from './slot-fields.tsx'
import type { Feed } from './use-feed.ts'

/** Connector, count and starts that feed a World, each with its control. */
export function FeedControls({
  feed,
  choices,
  limits,
  hrefOf,
}: {
  feed: Feed
  choices: readonly OfferedChoice[]
  limits: WorldLimits | undefined
  /** Address of the page with another connector. */
  hrefOf: (connector: string) => string
}) {
  const { request, about, read, typed } = feed
  const { starts, compatibility } = about
  const others = choices.filter(
    ({ name, compatibility: { fit } }) => name !== request.connector && fit === 'match',
  )
  const another = () => {
    const choice = others[Math.floor(Math.random() * others.length)]
    if (choice) feed.choose(choice.name)
  }
  return (
    <div className="space-y-6">
      <div>
        <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <a className={`${textLink} min-w-0 font-medium`} href={entityHref('connector', request.connector)}>
            <PieceName
              name={request.connector}
              title={about.title ?? choices.find(({ name }) => name === request.connector)?.title}
            />
          </a>
          {compatibility ? <FitBadge fit={compatibility.fit} /> : null}
        </p>
        {compatibility ? <p className="mt-1 text-ink-soft text-sm">{compatibility.reason}</p> : null}
        <RunStatus feed={feed} />
      </div>
      <div className="scripted flex flex-wrap gap-2">
        <Button
          onClick={feed.randomise}
          disabled={starts === undefined || openLines(starts.lines).length === 0}
          title={
            starts && openLines(starts.lines).length === 0 ? 'Every start of this piece is fixed' : undefined
          }
        >
          <Dices className="size-4" aria-hidden="true" />
          Dice
        </Button>
        {others.length > 0 ? (
          <Button onClick={another}>
            <Shuffle className="size-4" aria-hidden="true" />
            Another piece
          </Button>
        ) : null}
      </div>
      <StepCount count={request.count} range={countRange(limits)} onCount={feed.setCount} />
      <div>
        {feed.set ? (
          <SlotFields
            set={feed.set}
            primary={request.connector}
            runs={feed.slotRuns}
            offered={choices.map(({ name }) => name)}
            onFeed={feed.feedSlot}
          />
        ) : null}
        {starts ? (
          <details open={request.dynamicRi.length > 0 || undefined}>
            <summary className="min-h-11 cursor-pointer py-2.5 font-medium text-sm">
              Where its voices start
            </summary>
            <p className="pb-2 text-ink-soft text-sm">
              Where each voice begins, and how many of its steps it skips at first. What stays empty starts by
              itself.
            </p>
            <StartFields
              lines={starts.lines}
              more={starts.more}
              typed={typed}
              read={read}
              onTyped={feed.setTyped}
            />
          </details>
        ) : null}
        <details>
          <summary className="min-h-11 cursor-pointer py-2.5 font-medium text-sm">Choose a piece</summary>
          <ConnectorChoice
            choices={choices}
            chosen={request.connector}
            hrefOf={hrefOf}
            onChoose={feed.choose}
          />
        </details>
      </div>
    </div>
  )
}

/** The result of the run, announced when it changes. */
function RunStatus({ feed: { run, busy, outside, request } }: { feed: Feed }) {
  return (
    <p role="status" className="mt-2 min-h-[1.375rem] text-sm">
      {busy || run === undefined ? (
        <span className="scripted text-ink-soft">Running…</span>
      ) : run.state === 'particles' ? (
        <>
          <span className="text-ink-soft">
            {counted(run.paths, 'voice')}, {counted(request.count, 'step')}
          </span>
          {outside > 0 ? (
            <span className="block">
              {counted(outside, 'value lies', 'values lie')} outside of what this World says it takes.
            </span>
          ) : null}
        </>
      ) : run.state === 'unknown' ? (
        'There is no piece of this name. The World keeps what it drew before.'
      ) : (
        <>{run.message.replace(/\.?$/, '.')} The World keeps what it drew before.</>
      )}
    </p>
  )
}

/** Largest range that a slider sets step by step. */
const SLIDES = 512

/** Number of steps that a World draws, typed or slid, within its range. */
function StepCount({
  count,
  range,
  onCount,
}: {
  count: number
  range: WholeRange
  onCount: (count: number) => void
}) {
  const field = useId()
  const [text, setText] = useState(String(count))
  useEffect(() => setText(String(count)), [count])
  const top = Math.max(count, Math.min(range.max, Math.max(SLIDES, range.min)))
  const take = () => {
    const plain = plainNumber(text)
    const value = Number(plain)
    const next = plain !== '' && Number.isFinite(value) ? within(Math.round(value), range) : count
    setText(String(next))
    if (next !== count) onCount(next)
  }
  if (range.min === range.max) {
    return <p className="text-sm">This World draws {formatInteger(range.min)} steps.</p>
  }
  return (
    <div>
      <div className="flex items-end justify-between gap-4">
        <label htmlFor={field} className="text-sm">
          Steps
          <span className="block text-ink-soft text-xs">
            {formatInteger(range.min)} to {formatInteger(range.max)}
          </span>
        </label>
        <NumberField
          id={field}
          name="count"
          maxLength={8}
          value={text}
          onText={setText}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            take()
          }}
          className="w-28"
        />
      </div>
      <Slider
        aria-label="Steps, by slider"
        min={range.min}
        max={top}
        value={Math.min(count, top)}
        onValue={onCount}
        className="scripted mt-2 w-full"
      />
    </div>
  )
}
