'use client'

import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { Provenance } from '#lib/core/entities/execution/run-on-chain.ts'
import { soundOf } from '#lib/engine/sound/presented-sound.ts'
import type { ConnectorSound } from '#lib/engine/sound/settings.ts'
import { startsWire } from '#lib/protocol/definition-wire.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import type { PreviewRequest } from '#lib/server/operations/studio/preview-schemas.ts'
import { changeSound, setSteps } from '#lib/studio/document/commands/connector.ts'
import { type NodeRef, refKey } from '#lib/studio/document/node-ref.ts'
import { addressOf } from '#lib/studio/document/parts.ts'
import { startLinesOf } from '#lib/studio/document/positions-of.ts'
import type { ShapeFound } from '#lib/studio/document/shapes.ts'
import { type ConnectorEntry, DEFAULT_STEPS, tabKey } from '#lib/studio/document/types.ts'
import {
  type GoodRun,
  goodRunOf,
  type Place,
  type RejectedResult as Rejected,
  type RunPayload,
} from '#lib/studio/runs/run.ts'
import { stopSentence } from '#lib/studio/runs/run-stop.ts'
import { placeRef, sameQuestion, sliceOf } from '#lib/studio/runs/slice.ts'
import { readTypedStarts, type TypedStarts } from '#lib/studio/runs/typed-starts.ts'
import type { Source as SoundSource } from '#lib/studio/sound/transport.ts'
import { useValue } from '#lib/ui/components/value.ts'
import { formatOf, runPayload } from '#lib/ui/world/run-payload.ts'
import { useEditorChoice, useGraphFits } from '../common/editor-choice.ts'
import { useCurrentSession, useDocument, useRun, useSession, useSound } from '../common/session.tsx'
import { useAnnounceRun, useWorldsOf } from '../worlds/use-worlds-of.ts'
import { AddWorld, WorldFrames, WorldLines } from '../worlds/worlds-section.tsx'
import { Knobs } from './knobs.tsx'
import { ChainBar, ChainResult, type Source, useChainRun } from './on-chain.tsx'
import { ResultsPanel } from './results-panel.tsx'
import { CountField, RunStarts } from './run-inputs.tsx'

type Slice = NonNullable<ReturnType<typeof sliceOf>>

/** The particles of an entry, run again at each edit. */
export function EntryResults({ entry }: { entry: ConnectorEntry }) {
  const { document: store, openTab } = useCurrentSession()
  const document = useDocument()
  const shape = useSession(({ shapes }) => shapes.ofEntry(entry))
  const library = useSession((state) => state.library)
  const slice = useMemo(() => {
    const root = document.entries.find(({ id }) => id === entry.id)
    const ownSlice = root?.kind === 'connector' ? sliceOf(document, root) : undefined
    return ownSlice && isRunnable(ownSlice) ? ownSlice : undefined
  }, [document, entry.id])
  const show = (place: Place) => {
    const at = placeRef(store.getState().document, entry, place)
    openTab({ kind: 'entry', entryId: at.entryId })
    store.select([at])
    requestAnimationFrame(() => focusNode(at))
  }
  const { id } = entry
  const of = tabKey({ kind: 'entry', entryId: id })
  const run = useRun(of)
  const stop = useCallback(
    (result: Rejected | undefined) => {
      const root = store.getState().document.entries.find((each) => each.id === id)
      const isPlaced = result?.place && result.place.kind !== 'start' && root?.kind === 'connector'
      if (!isPlaced) return run.stop.setState(undefined)
      const at = placeRef(store.getState().document, root, result.place!)
      run.stop.setState({ at, severity: 'error', code: 'run_stopped', sentence: stopSentence(result, true) })
    },
    [store, run, id],
  )
  const onSound = useCallback<SoundSource['onSound']>(
    (label, change, merge) =>
      store.edit(label, (current) => changeSound(current, { entryId: id, change }), {
        ...(merge !== undefined && { merge: `${merge}/${id}` }),
      }),
    [store, id],
  )
  const published = isEntityName(entry.name) ? library.find('connector', entry.name) : 'absent'
  return (
    <LiveResults
      of={of}
      slice={slice}
      shape={shape}
      sound={entry.sound ?? NO_SOUND}
      onSound={onSound}
      count={entry.steps ?? DEFAULT_STEPS}
      onCount={(steps) =>
        store.edit('Change the length', (current) => setSteps(current, { entryId: id, steps }))
      }
      blocked="Not ready to run: something here or below is empty or marked."
      onShow={show}
      onStop={stop}
      address={addressOf(published)}
      edited
      controls={<Knobs entry={entry} />}
    />
  )
}

/** The particles of a connector outside the document. */
export function PublishedResults({ name }: { name: string }) {
  const shape = useSession(({ shapes }) => shapes.ofOutside(name))
  const library = useSession((state) => state.library)
  const slice = useMemo(() => ({ connector_name: name, connectors: [], bodies: [] }), [name])
  const entity = library.find('connector', name)
  const of = tabKey({ kind: 'published', entity: 'connector', name })
  const present =
    typeof entity === 'object' && entity.kind === 'connector' ? entity.piece?.present : undefined
  const published = useMemo(() => (present ? soundOf(present) : NO_SOUND), [present])
  const { inputs } = useRun(of)
  const { sound, steps } = useValue(inputs)
  const onSound = useCallback<SoundSource['onSound']>(
    (_label, change) => {
      const before = inputs.getState()
      inputs.setState({ ...before, sound: change(before.sound ?? published) })
    },
    [inputs, published],
  )
  return (
    <LiveResults
      of={of}
      slice={slice}
      shape={shape}
      sound={sound ?? published}
      onSound={onSound}
      count={steps ?? present?.particles ?? DEFAULT_STEPS}
      onCount={(next) => inputs.setState({ ...inputs.getState(), steps: next })}
      blocked=""
      address={addressOf(entity)}
      edited={false}
    />
  )
}

const NO_SOUND: ConnectorSound = {}
const LISTED_POSITIONS = 200

/**
 * @param of `tabKey` of its tab.
 * @param blocked Why nothing runs while there is no slice.
 * @param address Where a connector of this name is on chain; undefined where there is none.
 * @param edited Whether what runs here may differ from that.
 */
function LiveResults({
  of,
  slice,
  shape,
  sound,
  onSound,
  count,
  onCount,
  blocked,
  onShow,
  onStop,
  address,
  edited,
  controls,
}: {
  of: string
  slice: Slice | undefined
  shape: ShapeFound
  sound: ConnectorSound
  onSound: SoundSource['onSound']
  /** Particles of each path. */
  count: number
  onCount: (count: number) => void
  blocked: string
  onShow?: (place: Place) => void
  /** Called with the newest run while it stops somewhere, and with undefined when it does not. */
  onStop?: (result: Rejected | undefined) => void
  address: Address | undefined
  edited: boolean
  controls?: ReactNode
}) {
  const runOf = useRun(of)
  const { transport } = useSound()
  const { inputs } = runOf
  const { starts: typed } = useValue(inputs)
  const starts = useMemo(
    () => (typeof shape === 'string' ? undefined : startLinesOf(shape, LISTED_POSITIONS)),
    [shape],
  )
  const usable = useMemo(() => usableStarts(typed, starts), [typed, starts])
  const read = useMemo(() => readTypedStarts(usable), [usable])
  // The same object while it asks the same: an edit elsewhere in the document makes no new request.
  const latest = useRef<PreviewRequest>(undefined)
  const request = useMemo(() => {
    const question = slice && read.ok ? questionOf(slice, count, startsWire(read.dynamicRi)) : undefined
    const isSame = question && latest.current && sameQuestion(question, latest.current)
    if (!isSame) latest.current = question
    return latest.current
  }, [slice, count, read])
  const [source, setSource] = useState<Source>('here')
  const load = (good: GoodRun) =>
    transport.load({ key: of, name: good.request.connector_name, streams: good.streams, sound, onSound })
  const run = useValue(runOf.state)
  const explanation = useValue(runOf.explanation)
  const arrived = useEffectEvent((good: GoodRun) => {
    if (source === 'here') load(good)
  })
  useEffect(() => runOf.onGood(arrived), [runOf])
  useEffect(() => runOf.ask(request), [runOf, request])
  useEffect(
    () => () => {
      runOf.ask(undefined)
      runOf.explain(undefined)
    },
    [runOf],
  )
  const answered = run.phase === 'done' && run.answer?.question === request ? run.answer : undefined
  const newest = answered?.answer.result
  const stopped = newest?.outcome === 'rejected' ? newest : undefined
  useEffect(() => {
    onStop?.(stopped)
    return () => onStop?.(undefined)
  }, [onStop, stopped])
  const chain = useChainRun()
  // A run on chain is shown only for its own question.
  const chainRun = chain.chainRun?.run.question === request ? chain.chainRun : undefined
  const onChain = source === 'chain' ? chainRun : undefined
  const simulated = useMemo(
    () => (run.lastGood && run.lastGood.question === request ? goodRunOf(run.lastGood) : undefined),
    [run.lastGood, request],
  )
  const shown = onChain?.run ?? run
  const provenance = onChain?.result?.provenance
  // An edited connector need not be the published one.
  const drawnAddress = edited && provenance === undefined ? undefined : address
  const drawn = useMemo(() => {
    const good = shown.lastGood && goodRunOf(shown.lastGood)
    return good && runForWorlds(good, drawnAddress, provenance)
  }, [shown.lastGood, drawnAddress, provenance])
  useAnnounceRun(of, drawn)
  const goodRun = useMemo(() => shown.lastGood && goodRunOf(shown.lastGood), [shown.lastGood])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is made of the others
  useEffect(() => {
    if (goodRun) load(goodRun)
  }, [of, goodRun, sound, onSound])
  const { attached } = useWorldsOf(of)
  const captured = useValue(runOf.captured)
  const [{ editor }, change] = useEditorChoice()
  const inGraph = useGraphFits() && editor === 'graph'
  const worlds = attached.length > 0 && !inGraph ? <WorldFrames of={of} shape={shape} /> : undefined
  const attachedBefore = useRef(attached.length)
  useEffect(() => {
    // What was just added is what one wants to see.
    if (attached.length > attachedBefore.current) change({ view: 'world' })
    attachedBefore.current = attached.length
  }, [attached.length, change])
  return (
    <div className="flex min-h-full flex-col p-3 sm:px-4">
      <h2 className="sr-only">Result</h2>
      <ResultsPanel
        of={of}
        run={shown}
        blocked={
          request !== undefined ? undefined : read.ok ? blocked : 'Not ready to run: a start is no number.'
        }
        explanation={explanation}
        onExplain={runOf.explain}
        onCancel={onChain ? chain.cancel : runOf.cancel}
        onAgain={onChain ? chain.again : runOf.again}
        {...(onShow && { onShow })}
        controls={controls}
        actions={<AddWorld of={of} shape={shape} />}
        details={
          <>
            <CountField count={count} onCount={onCount} />
            <WorldLines of={of} shape={shape} />
            <RunStarts
              starts={starts}
              typed={usable}
              read={read}
              onTyped={(next) => inputs.setState({ ...inputs.getState(), starts: next })}
            />
            {address !== undefined && slice ? (
              <ChainBar
                request={{
                  connector: slice.connector_name,
                  count,
                  dynamicRi: read.ok ? read.dynamicRi : [],
                }}
                question={request}
                edited={edited}
                world={attached[0]?.world}
                slots={attached[0]?.slots}
                chainRun={chainRun}
                source={onChain ? 'chain' : 'here'}
                onSource={setSource}
                onExecute={(request, question) => {
                  setSource('chain')
                  chain.execute(request, question)
                }}
              />
            ) : null}
            {onChain ? <ChainResult chainRun={onChain} simulated={simulated} edited={edited} /> : null}
          </>
        }
        worlds={worlds}
        captured={captured}
      />
    </div>
  )
}

function questionOf(
  slice: Slice,
  particles_count: number,
  dynamic_ri: ReturnType<typeof startsWire>,
): PreviewRequest {
  return { ...slice, particles_count, dynamic_ri }
}

/** Drops starts at positions that the connector lacks or fixes itself. */
function usableStarts(typed: TypedStarts, starts: ReturnType<typeof startLinesOf> | undefined): TypedStarts {
  if (starts === undefined) return typed
  const open = new Map(starts.lines.map(({ position, locked }) => [position, !locked]))
  return new Map([...typed].filter(([position]) => open.get(position) ?? starts.more))
}

/** Empty or invalid names cannot be run. */
function isRunnable({ connectors, bodies }: Slice): boolean {
  const names = [
    ...bodies.map(({ name }) => name),
    ...connectors.flatMap(({ name, dimensions, condition_name: condition }) => [
      name,
      ...(condition === '' ? [] : [condition]),
      ...dimensions.flatMap(({ transformations, composite, bindings }) => [
        ...transformations.map((call) => call.name),
        ...(composite === '' ? [] : [composite]),
        ...Object.values(bindings),
      ]),
    ]),
  ]
  return names.every(isEntityName) && connectors.every(({ dimensions }) => dimensions.length > 0)
}

function focusNode(at: NodeRef): void {
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(refKey(at))}"]`)?.focus()
}

/** A run as the message for Worlds. @param provenance Of a run on chain. */
function runForWorlds(
  { request, streams }: GoodRun,
  address: Address | undefined,
  provenance: Provenance | undefined,
): RunPayload {
  const { connector_name: connector, particles_count: count, dynamic_ri: starts } = request
  const formatHash = formatOf(streams)
  const run = { connector, count: Number(count), streams, dynamicRi: [], formatHash, address, provenance }
  return { ...runPayload(run, 'studio-plugin'), dynamicRiInput: starts ?? {} }
}
