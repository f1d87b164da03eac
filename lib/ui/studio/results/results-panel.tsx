'use client'

import { type ReactNode, useDeferredValue, useEffect, useId, useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { counted, formatInteger } from '../../components/format.ts'
import { extentOf, valueRange } from '../../components/series.ts'
import { type GoodRun, goodRunOf, type Place, type Stream, stepsOf } from '../preview/run.ts'
import { transport, usePlayhead, useTransport } from '../transport/transport.ts'
import { compareRuns } from './compare.ts'
import { describeComparison } from './descriptions.ts'
import { Exports } from './exports.tsx'
import { HistogramView } from './histogram-view.tsx'
import { OverlayView, PlotsView, type ViewProps } from './plots-view.tsx'
import { loopsIn, RunFailure, RunStatus } from './run-status.tsx'
import { Scrubber } from './scrubber.tsx'
import { statisticsOf } from './statistics.ts'
import { TableView } from './table-view.tsx'
import type { ExplainState, Particle, PreviewState } from './use-preview.ts'
import { Why } from './why.tsx'
import { fitWindow, reveal, type Window, wholeWindow } from './window.ts'

export interface ResultsPanelProps {
  readonly run: PreviewState
  /** Why nothing can be run at present, as a sentence; undefined when it can. */
  readonly blocked: string | undefined
  readonly explanation: ExplainState
  /** Explains a particle; undefined cancels. */
  readonly onExplain: (particle: Particle | undefined) => void
  readonly onCancel: () => void
  readonly onAgain: () => void
  /** Shows the node where a run stopped; absent where there is nothing to show it in. */
  readonly onShow?: (place: Place) => void
  /** Shown below the picture, whether there is one or not. */
  readonly controls?: ReactNode
}

const VIEWS = ['Plots', 'Overlay', 'Table', 'Histogram'] as const
type View = (typeof VIEWS)[number]

const PLOTS_AT_ONCE = 12

/** Outdated plots fade after a delay, so that they do not flicker while a slider moves. Texts do not fade. */
const FADED = '[&_canvas]:opacity-50 [&_canvas]:transition-opacity [&_canvas]:delay-150 [&_canvas]:duration-0'

/** The particles of a connector as plots, numbers, sound and files. */
export function ResultsPanel({
  run,
  blocked,
  explanation,
  onExplain,
  onCancel,
  onAgain,
  onShow,
  controls,
}: ResultsPanelProps) {
  const [pinned, setPinned] = useState<GoodRun>()
  const good = useMemo(() => run.lastGood && goodRunOf(run.lastGood), [run.lastGood])
  const newest = run.phase === 'done' && run.answer?.question === run.question ? run.answer : undefined
  const result = newest?.answer.result
  const old = good !== undefined && good.asked !== run.question
  return (
    <div aria-busy={run.phase === 'running'} className="@container min-w-0">
      <RunStatus run={run} good={good} old={old} blocked={blocked} onCancel={onCancel} onAgain={onAgain} />
      {blocked === undefined && result && result.outcome !== 'particles' ? (
        <div className="mb-4">
          <RunFailure result={result} loops={loopsIn(run)} onShow={onShow} />
        </div>
      ) : null}
      {good ? (
        <div className={old ? FADED : ''}>
          <Pictures
            run={good}
            pinned={pinned}
            onPin={setPinned}
            explanation={explanation}
            onExplain={onExplain}
            controls={controls}
          />
        </div>
      ) : (
        controls
      )}
    </div>
  )
}

function Pictures({
  run,
  pinned,
  onPin,
  explanation,
  onExplain,
  controls,
}: {
  run: GoodRun
  pinned: GoodRun | undefined
  onPin: (run: GoodRun | undefined) => void
  explanation: ExplainState
  onExplain: (particle: Particle | undefined) => void
  controls: ReactNode
}) {
  const { streams } = run
  const steps = stepsOf(streams)
  const [view, setView] = useState<View>('Plots')
  const [sameScale, setSameScale] = useState(false)
  const [most, setMost] = useState(PLOTS_AT_ONCE)
  const [chosenBefore, setChosen] = useState(0)
  const [chosenStep, setChosenStep] = useState(0)
  const [windowBefore, setWindow] = useState<Window>()
  const [asking, setAsking] = useState(false)

  // The chosen step is where the sound is, and plays on from where it is put.
  const loaded = useTransport().source?.name === run.asked.connector_name
  const playhead = usePlayhead()
  const sounding = useDeferredValue(playhead.step)
  const step = Math.min(loaded ? sounding : chosenStep, Math.max(0, steps - 1))
  const chosen = Math.min(chosenBefore, streams.length - 1)
  const stream = streams[chosen]
  const window = useMemo(
    () => (windowBefore ? reveal(fitWindow(windowBefore, steps), step) : wholeWindow(steps)),
    [windowBefore, steps, step],
  )
  const setStep = (next: number) => {
    setChosenStep(next)
    if (loaded) transport.seek(next)
    if (windowBefore) setWindow(reveal(window, next))
  }

  const differences = useMemo(
    () => (pinned && pinned !== run ? compareRuns(pinned.streams, streams) : undefined),
    [pinned, run, streams],
  )
  const range = useMemo(() => (sameScale ? rangeOfAll(streams) : undefined), [sameScale, streams])
  const drawn = view === 'Plots' || view === 'Overlay'
  const shown = useMemo(() => streams.slice(0, most), [streams, most])

  const path = stream?.path
  // A reason takes longer to read than a step to play.
  const explained = Math.min(playhead.playing && loaded ? chosenStep : step, Math.max(0, steps - 1))
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run has other reasons
  useEffect(() => {
    if (!asking || path === undefined) return
    onExplain({ path, step: explained })
    return () => onExplain(undefined)
  }, [asking, path, explained, run, onExplain])

  if (stream === undefined) return null
  const shared: ViewProps = {
    streams: shown,
    chosen,
    onChoose: setChosen,
    step,
    onStep: setStep,
    window,
    differences,
    range,
  }
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <ViewChoice view={view} onView={setView} />
        {drawn ? (
          <label className="flex min-h-10 items-center gap-2 text-sm">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={sameScale}
              onChange={(event) => setSameScale(event.currentTarget.checked)}
            />
            One scale for all
          </label>
        ) : null}
        {pinned ? (
          <Button className="min-h-9 px-3" onClick={() => onPin(undefined)}>
            Unpin
          </Button>
        ) : (
          <Button
            className="min-h-9 px-3"
            onClick={() => onPin(run)}
            title="Keep this run to compare later ones with it"
          >
            Pin to compare
          </Button>
        )}
      </div>
      {pinned ? (
        <p role="status" className="text-sm">
          {differences
            ? `Against the pinned run of ${pinned.asked.connector_name} (dashed): ${describeComparison(differences)}`
            : 'This run is pinned: change something, and later runs are compared with it.'}
        </p>
      ) : null}
      <Scrubber
        step={step}
        steps={steps}
        window={window}
        onStep={setStep}
        onWindow={drawn ? setWindow : undefined}
      />
      {view === 'Plots' ? <PlotsView {...shared} /> : null}
      {view === 'Overlay' ? <OverlayView {...shared} /> : null}
      {view === 'Table' ? (
        <TableView streams={streams} chosen={chosen} step={step} onChoose={setChosen} onStep={setStep} />
      ) : null}
      {view === 'Histogram' ? <HistogramView stream={stream} index={chosen} /> : null}
      {controls}
      {streams.length > most && drawn ? (
        <Button onClick={() => setMost(most + PLOTS_AT_ONCE)}>
          Show more of {counted(streams.length, 'path')}
        </Button>
      ) : null}
      <ChosenPath streams={streams} chosen={chosen} onChoose={setChosen} />
      <div>
        <Button
          aria-expanded={asking}
          onClick={() => {
            setChosenStep(step)
            setAsking(!asking)
          }}
        >
          Why is this {formatInteger(stream.data[asking ? explained : step] ?? 0)}?
        </Button>
        {asking ? (
          <div className="mt-3 rounded-md border border-line bg-raised p-4 text-sm">
            <Why particle={{ path: stream.path, step: explained }} explanation={explanation} />
          </div>
        ) : null}
      </div>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <Exports run={run} />
      </div>
    </div>
  )
}

function ViewChoice({ view, onView }: { view: View; onView: (view: View) => void }) {
  const name = useId()
  return (
    <fieldset className="flex rounded-md border border-edge">
      <legend className="sr-only">Show as</legend>
      {VIEWS.map((each) => (
        <label
          key={each}
          className="flex min-h-10 cursor-pointer items-center px-3 text-sm first-of-type:rounded-l-md last-of-type:rounded-r-md has-checked:bg-ink has-checked:text-ground has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 pointer-coarse:min-h-11"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={view === each}
            onChange={() => onView(each)}
          />
          {each}
        </label>
      ))}
    </fieldset>
  )
}

function ChosenPath({
  streams,
  chosen,
  onChoose,
}: {
  streams: readonly Stream[]
  chosen: number
  onChoose: (index: number) => void
}) {
  return (
    <label className="block text-xs">
      <span className="block text-ink-soft">Path</span>
      <select
        className="mono min-h-10 max-w-full rounded-md border border-edge bg-raised px-2 text-sm pointer-coarse:min-h-11"
        value={chosen}
        onChange={({ currentTarget: { value } }) => onChoose(Number(value))}
      >
        {streams.map(({ path }, index) => (
          <option key={path} value={index}>
            {path}
          </option>
        ))}
      </select>
    </label>
  )
}

function rangeOfAll(streams: readonly Stream[]): [number, number] {
  return valueRange(
    extentOf(
      streams.flatMap(({ data }) => {
        const { min, max } = statisticsOf(data)
        return [min, max]
      }),
    ),
  )
}
