'use client'

import { useId, useState } from 'react'
import { INT32, readNumber, UINT32 } from '#lib/browser/typed-number.ts'
import type { TryAnswer, TryRequest } from '#lib/server/operations/studio/preview-schemas.ts'
import type { CodeKind } from '#lib/studio/document/types.ts'
import { requestTry } from '#lib/studio/runs/client.ts'
import type { LatestState } from '#lib/studio/runs/latest.ts'
import { Check } from '#lib/ui/kit/choice.tsx'
import { NumberField } from '#lib/ui/kit/field.tsx'
import { useLatest } from '../common/use-latest.ts'

/** Fields that are shown; a body may take any number of arguments. */
const MAX_FIELDS = 32
const STEPS = 8
const DEBOUNCE_MS = 150

/** Runs a body on the server with x and arguments, at each change. */
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
  /** As counted in the text; used until the compiler has counted. */
  likelyCount: number
}) {
  const id = useId()
  const [x, setX] = useState('1')
  const [texts, setTexts] = useState<readonly string[]>([])
  const [manySteps, setManySteps] = useState(false)
  const fields = argsCount ?? likelyCount
  const range = kind === 'condition' ? INT32 : UINT32
  const args = Array.from({ length: Math.min(fields, MAX_FIELDS) }, (_, index) =>
    readNumber(texts[index] ?? '1', range),
  )
  const start = readNumber(x, UINT32)
  const values = args.flatMap((arg) => (arg.ok ? [arg.value] : []))
  const invalid = [...(kind === 'condition' ? [] : [start]), ...args].find((read) => !read.ok)
  const ready = argsCount !== undefined && argsCount <= MAX_FIELDS && invalid === undefined
  const shared = { sol_src: source, args: values }
  const { state } = useLatest<TryRequest, TryAnswer>(
    !ready
      ? undefined
      : kind === 'condition'
        ? { kind, ...shared }
        : { kind, ...shared, x: start.ok ? start.value : 0, steps: manySteps ? STEPS : 1 },
    { send: requestTry, debounceMs: DEBOUNCE_MS },
  )

  return (
    <fieldset className="grid min-w-0 gap-2 rounded-md border border-line bg-raised px-3 pt-1 pb-3">
      <legend className="px-1 font-medium text-sm">Try it</legend>
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        {kind === 'condition' ? null : (
          <Labelled id={`${id}-x`} label="x">
            <NumberField look="small" id={`${id}-x`} value={x} onText={setX} wrong={!start.ok} />
          </Labelled>
        )}
        {args.map((arg, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an argument is its index
          <Labelled key={index} id={`${id}-${index}`} label={`args[${index}]`}>
            <NumberField
              look="small"
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
          <Check checked={manySteps} onCheck={setManySteps}>
            {STEPS} steps
          </Check>
        )}
      </div>
      <output aria-live="polite" className="mono text-sm" data-testid="try-result">
        {invalid && !invalid.ok ? (
          <span className="font-sans text-madder">{invalid.sentence}</span>
        ) : fields > MAX_FIELDS ? (
          <span className="font-sans text-ink-soft">
            A body with more than {MAX_FIELDS} numbers can be tried in a piece only.
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

function Result({ kind, state }: { kind: CodeKind; state: LatestState<TryRequest, TryAnswer> }) {
  if (state.phase === 'failed') return <span className="font-sans text-madder">{state.message}</span>
  if (state.answer === undefined) return <span className="font-sans text-ink-soft">Running…</span>
  const { question, answer } = state.answer
  if (answer.outcome === 'not_compiled') {
    return <span className="font-sans text-ink-soft">Runs as soon as the body compiles.</span>
  }
  const { values, rejection } = answer
  if (kind === 'condition' && rejection === null) {
    return values[0] === 1 ? 'yes: the piece may play' : 'no: the piece may not play'
  }
  return (
    <span className="[overflow-wrap:anywhere]">
      {kind === 'condition' ? null : ['x' in question ? question.x : 0, ...values].join(' → ')}
      {rejection === null ? null : (
        <span className="font-sans text-madder">
          {kind === 'condition' ? '' : ' → '}stops: {rejection.message}
        </span>
      )}
    </span>
  )
}
