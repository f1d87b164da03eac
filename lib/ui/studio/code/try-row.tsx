'use client'

import { useId, useState } from 'react'
import { INT32, readNumber, UINT32 } from '../document/numbers.ts'
import { NumberField } from '../outline/fields.tsx'
import type { CodeKind } from './frame.ts'
import { type TryState, useTry } from './use-try.ts'

/** Fields that are shown; a body may take any number of arguments. */
const MAX_FIELDS = 32
const STEPS = 8

/** A row to try a body: x and arguments, and what becomes of them, run by the EVM at each change. */
export function TryRow({
  kind,
  source,
  argsCount,
  likelyCount,
}: {
  kind: CodeKind
  source: string
  /** Undefined while the body does not compile. */
  argsCount: number | undefined
  /** As read from the text as it stands: what can be filled in meanwhile. */
  likelyCount: number
}) {
  const id = useId()
  const [x, setX] = useState('1')
  const [texts, setTexts] = useState<readonly string[]>([])
  const [often, setOften] = useState(false)
  const fields = argsCount ?? likelyCount
  const range = kind === 'condition' ? INT32 : UINT32
  const args = Array.from({ length: Math.min(fields, MAX_FIELDS) }, (_, index) =>
    readNumber(texts[index] ?? '1', range),
  )
  const start = readNumber(x, UINT32)
  const values = args.flatMap((arg) => (arg.ok ? [arg.value] : []))
  const wrong = [...(kind === 'condition' ? [] : [start]), ...args].find((read) => !read.ok)
  const ready = argsCount !== undefined && argsCount <= MAX_FIELDS && wrong === undefined
  const state = useTry(
    ready
      ? { kind, source, x: start.ok ? start.value : 0, args: values, steps: often ? STEPS : 1 }
      : undefined,
  )

  return (
    <fieldset className="grid min-w-0 gap-2 rounded-md border border-line bg-raised px-3 pt-1 pb-3">
      <legend className="px-1 font-medium text-sm">Try it</legend>
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        {kind === 'condition' ? null : (
          <Labelled id={`${id}-x`} label="x">
            <NumberField id={`${id}-x`} value={x} onText={setX} wrong={!start.ok} />
          </Labelled>
        )}
        {args.map((arg, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an argument is its index
          <Labelled key={index} id={`${id}-${index}`} label={`args[${index}]`}>
            <NumberField
              id={`${id}-${index}`}
              value={texts[index] ?? '1'}
              onText={(text) =>
                setTexts(texts.length > index ? texts.with(index, text) : filled(texts, index, text))
              }
              wrong={!arg.ok}
            />
          </Labelled>
        ))}
        {kind === 'condition' ? null : (
          <label className="flex min-h-9 cursor-pointer items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={often}
              onChange={(event) => setOften(event.currentTarget.checked)}
            />
            {STEPS} steps
          </label>
        )}
      </div>
      <output aria-live="polite" className="mono text-sm" data-testid="try-result">
        {wrong && !wrong.ok ? (
          <span className="font-sans text-madder">{wrong.sentence}</span>
        ) : fields > MAX_FIELDS ? (
          <span className="font-sans text-ink-soft">
            Bodies of more than {MAX_FIELDS} arguments run in a connector.
          </span>
        ) : argsCount === undefined ? (
          <span className="font-sans text-ink-soft">Runs as soon as the body compiles.</span>
        ) : (
          <Result kind={kind} state={state} />
        )}
      </output>
    </fieldset>
  )
}

function filled(texts: readonly string[], index: number, text: string): string[] {
  return [...texts, ...Array.from({ length: index - texts.length }, () => '1'), text]
}

function Labelled({ id, label, children }: { id: string; label: string; children: React.ReactNode }) {
  return (
    <span className="grid gap-0.5">
      <label htmlFor={id} className="mono text-ink-soft text-xs">
        {label}
      </label>
      {children}
    </span>
  )
}

function Result({ kind, state }: { kind: CodeKind; state: TryState }) {
  if (state.status === 'idle' || state.status === 'running') {
    return <span className="font-sans text-ink-soft">Running…</span>
  }
  if (state.status === 'failed') return <span className="font-sans text-madder">{state.reason}</span>
  const { x, answer } = state
  if (answer.outcome === 'not_compiled') {
    return <span className="font-sans text-ink-soft">Runs as soon as the body compiles.</span>
  }
  const { values, rejection } = answer
  if (kind === 'condition' && rejection === null) {
    return values[0] === 1 ? 'holds: the connector may run' : 'does not hold: the connector may not run'
  }
  return (
    <span className="[overflow-wrap:anywhere]">
      {kind === 'condition' ? null : [x, ...values].join(' → ')}
      {rejection === null ? null : (
        <span className="font-sans text-madder">
          {kind === 'condition' ? '' : ' → '}stops: {rejection.message}
        </span>
      )}
    </span>
  )
}
