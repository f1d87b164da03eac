'use client'

import { Columns2, Pin, PinOff } from 'lucide-react'
import { type ReactNode, type RefObject, useId, useMemo, useRef, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { type GoodRun, goodRunOf, type Place, type Stream } from '#lib/studio/runs/run.ts'
import { loopsIn } from '#lib/studio/runs/run-stop.ts'
import type { CapturedWorld, ExplainState, Particle, PreviewState } from '#lib/studio/runs/runs.ts'
import { Boundary } from '#lib/ui/components/boundary.tsx'
import { Button } from '#lib/ui/components/button.tsx'
import { IconButton } from '#lib/ui/components/icon-button.tsx'
import { RESULT_VIEWS, type ResultView, useEditorChoice } from '../common/editor-choice.ts'
import { Tabs, tabId } from '../common/tabs.tsx'
import { describeComparison, describePlot } from './descriptions.ts'
import { Exports } from './exports.tsx'
import { Overview, StepField } from './overview.tsx'
import { PathLegend } from './pictures/lanes.tsx'
import { Picture, type SavePng } from './pictures/picture.tsx'
import { isApart, PICTURES, type PictureKind, type Scene } from './pictures/scene.ts'
import { RunFailure, RunStatus } from './run-status.tsx'
import { statisticsOf } from './statistics.ts'
import { TableView } from './table-view.tsx'
import { describeRoll, type Pictures, usePictures } from './use-pictures.ts'
import { Reason } from './why.tsx'

export interface ResultsPanelProps {
  /** `tabKey` of the connector's tab. */
  readonly of: string
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
  /** The attached Worlds, as a view of their own; absent for none. */
  readonly worlds?: ReactNode
  /** Attached Worlds that can be saved as a picture or a clip. */
  readonly captured?: readonly CapturedWorld[]
}

/** Outdated plots fade after a delay, so that they do not flicker while a slider moves. Texts do not fade. */
const FADED = '[&_canvas]:opacity-50 [&_canvas]:transition-opacity [&_canvas]:delay-150 [&_canvas]:duration-0'

/** The view beside a World, and what belongs to it, is shown only where it takes no room from the World. */
const BESIDE_AUTOMATIC = '@max-2xl:hidden'

/** The particles of a connector as plots, numbers, sound and files. */
export function ResultsPanel({
  of,
  run,
  blocked,
  explanation,
  onExplain,
  onCancel,
  onAgain,
  onShow,
  controls,
  worlds,
  captured,
}: ResultsPanelProps) {
  const [pinned, setPinned] = useState<GoodRun>()
  const png = useRef<SavePng>(undefined)
  const shown = useShownViews(worlds)
  const good = useMemo(() => run.lastGood && goodRunOf(run.lastGood), [run.lastGood])
  const newest = run.phase === 'done' && run.answer?.question === run.question ? run.answer : undefined
  const result = newest?.answer.result
  const old = good !== undefined && good.asked !== run.question
  return (
    <div aria-busy={run.phase === 'running'} className="@container flex min-w-0 flex-1 flex-col">
      <div className="mt-1.5 flex flex-wrap items-start gap-x-3">
        <div className="min-w-0 flex-1">
          <RunStatus
            run={run}
            good={good}
            old={old}
            blocked={blocked}
            onCancel={onCancel}
            onAgain={onAgain}
          />
        </div>
        {good ? (
          <RunActions
            run={good}
            pinned={pinned}
            onPin={setPinned}
            shown={shown}
            png={png}
            worlds={captured}
          />
        ) : null}
      </div>
      {blocked === undefined && result && result.outcome !== 'particles' ? (
        <div className="mb-4">
          <RunFailure result={result} loops={loopsIn(run.question)} onShow={onShow} />
        </div>
      ) : null}
      {good ? (
        <div className={`flex flex-1 flex-col ${old ? FADED : ''}`}>
          <Views
            of={of}
            run={good}
            pinned={pinned}
            explanation={explanation}
            onExplain={onExplain}
            controls={controls}
            worlds={worlds}
            shown={shown}
            png={png}
          />
        </div>
      ) : (
        <>
          {worlds}
          {controls}
        </>
      )}
    </div>
  )
}

/** The view that is chosen, and the one beside it. */
function useShownViews(worlds: ReactNode) {
  const [choice, change] = useEditorChoice()
  const views = RESULT_VIEWS.filter(([each]) => each !== 'world' || worlds)
  const known = (of: string | undefined) => views.find(([each]) => each === of)?.[0]
  const view = known(choice.view) ?? views[0]![0]
  const isAutomatic = choice.beside === undefined && view === 'world'
  const beside = isAutomatic ? 'lines' : choice.beside === view ? undefined : known(choice.beside)
  return { views, view, beside, isAutomatic, change }
}

type ShownViews = ReturnType<typeof useShownViews>

function RunActions({
  run,
  pinned,
  onPin,
  shown: { view, beside, isAutomatic, change },
  png,
  worlds,
}: {
  run: GoodRun
  pinned: GoodRun | undefined
  onPin: (run: GoodRun | undefined) => void
  shown: ShownViews
  png: RefObject<SavePng | undefined>
  worlds: ResultsPanelProps['captured']
}) {
  return (
    <div className="flex max-w-full flex-wrap items-center justify-end gap-2">
      <IconButton
        look="bordered"
        label={pinned ? 'Unpin' : 'Pin to compare'}
        title={pinned ? 'Unpin' : 'Pin to compare: later runs are drawn over this one'}
        onClick={() => onPin(pinned ? undefined : run)}
      >
        {pinned ? <PinOff /> : <Pin />}
      </IconButton>
      <IconButton
        look="bordered"
        label="Two views"
        title="Two views, side by side where there is room"
        aria-pressed={beside !== undefined}
        className={isAutomatic ? BESIDE_AUTOMATIC : ''}
        onClick={() => change({ beside: beside ? 'none' : view === 'lines' ? 'heat' : 'lines' })}
      >
        <Columns2 />
      </IconButton>
      <Exports run={run} png={png} worlds={worlds} />
    </div>
  )
}

function Views({
  of,
  run,
  pinned,
  explanation,
  onExplain,
  controls,
  worlds,
  shown: { views, view, beside, isAutomatic, change },
  png,
}: {
  of: string
  run: GoodRun
  pinned: GoodRun | undefined
  explanation: ExplainState
  onExplain: (particle: Particle | undefined) => void
  controls: ReactNode
  worlds: ReactNode
  shown: ShownViews
  png: RefObject<SavePng | undefined>
}) {
  const { streams } = run
  const pictures = usePictures(of, run, pinned)
  const id = useId()
  const roomy = isAutomatic ? BESIDE_AUTOMATIC : ''
  const drawn = [view, beside].some((each) => each === 'lines' || each === 'steps')
  const isPicture = [view, beside].some((each) => each && isPictureKind(each))

  const stream = streams[pictures.chosen]
  if (stream === undefined) return null
  const panel = (own: string, of: ResultView, savePng: RefObject<SavePng | undefined> | undefined) => (
    <div role="tabpanel" id={own} aria-labelledby={tabId(own, of)} className="flex flex-1 flex-col">
      {of === 'world' ? worlds : <View view={of} pictures={pictures} streams={streams} png={savePng} />}
    </div>
  )
  return (
    <div className="flex flex-1 flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <Tabs
          {...VIEW_TABS}
          label="Show as"
          names={views}
          chosen={view}
          panelOf={() => id}
          onChoose={(next) => change({ view: next })}
        />
        {drawn ? (
          <span className={`flex gap-x-2 ${roomy}`}>
            <Check label="Together" on={pictures.together} onChange={pictures.setTogether} />
            <Check label="One scale for all" on={pictures.sameScale} onChange={pictures.setSameScale} />
          </span>
        ) : null}
      </div>
      {pinned ? (
        <p role="status" className="text-sm">
          {pictures.differences
            ? `Against the pinned run of ${pinned.asked.connector_name} (dashed): ${describeComparison(pictures.differences)}`
            : 'This run is pinned: change something, and later runs are compared with it.'}
        </p>
      ) : null}
      <div className={`flex flex-wrap items-center gap-x-3 gap-y-1 ${roomy}`}>
        <StepField step={pictures.step} steps={pictures.steps} onStep={pictures.setStep} />
        {isPicture ? (
          <Overview
            data={stream.data}
            window={pictures.window}
            step={pictures.step}
            steps={pictures.steps}
            onWindow={pictures.setWindow}
          />
        ) : null}
      </div>
      <div
        className={`grid min-h-[max(15rem,min(46dvh,calc(100dvh-25.25rem)))] flex-1 gap-3 ${beside ? '@2xl:grid-cols-2' : ''}`}
      >
        {panel(id, view, isPictureKind(view) ? png : undefined)}
        {beside ? (
          <div className={`flex min-h-60 min-w-0 flex-col gap-2 ${roomy}`}>
            <Tabs
              {...VIEW_TABS}
              label="Show beside it"
              names={views.filter(([each]) => each !== view && each !== 'world')}
              chosen={beside}
              panelOf={() => `${id}-beside`}
              onChoose={(next) => change({ beside: next })}
            />
            {panel(`${id}-beside`, beside, isPictureKind(view) ? undefined : png)}
          </div>
        ) : null}
      </div>
      {streams.length > pictures.lanes && isPicture ? (
        <div>
          <Button onClick={pictures.showMore}>Show more of {counted(streams.length, 'path')}</Button>
        </div>
      ) : null}
      {controls}
      <Reason run={run} stream={stream} pictures={pictures} explanation={explanation} onExplain={onExplain} />
    </div>
  )
}

const VIEW_TABS = {
  className: 'min-w-0 max-w-full overflow-x-auto border-line border-b [scrollbar-width:none]',
  look: 'min-h-9 px-2 pointer-coarse:min-h-11',
}

function isPictureKind(view: ResultView): view is PictureKind {
  return (PICTURES as readonly string[]).includes(view)
}

function View({
  view,
  pictures,
  streams,
  png,
}: {
  view: Exclude<ResultView, 'world'>
  pictures: Pictures
  streams: readonly Stream[]
  png: RefObject<SavePng | undefined> | undefined
}) {
  const { step, steps, chosen, differences, setStep, setChosen, setWindow } = pictures
  if (view === 'table') {
    return <TableView streams={streams} chosen={chosen} step={step} onChoose={setChosen} onStep={setStep} />
  }
  const scene = pictures.sceneOf(view)
  return (
    <Boundary what="The picture" of={scene}>
      <Picture
        key={view}
        scene={scene}
        name={RESULT_VIEWS.find(([each]) => each === view)![2]}
        label={labelOf(scene)}
        step={step}
        steps={steps}
        differences={differences}
        onStep={setStep}
        onWindow={setWindow}
        onChoose={setChosen}
        png={png}
      />
      {isApart(scene) ? null : <PathLegend scene={scene} step={step} onChoose={setChosen} />}
    </Boundary>
  )
}

/** Paths of a shared picture that are described one by one. */
const DESCRIBED = 8

function labelOf(scene: Scene): string {
  const { kind, streams } = scene
  if (kind === 'roll') return describeRoll(scene)
  const paths = streams
    .slice(0, DESCRIBED)
    .map(({ path, data }) => `${path}: ${describePlot(statisticsOf(data))}`)
    .join(' ')
  const what =
    kind === 'heat' ? 'as rows of colours, darker or lighter the larger a value is' : 'in one picture'
  return `${counted(streams.length, 'path')} ${what}. ${paths}`
}

function Check({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label className="flex min-h-9 items-center gap-1.5 text-sm pointer-coarse:min-h-11">
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={on}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  )
}
