'use client'

import { Pin, PinOff } from 'lucide-react'
import { type ReactNode, type RefObject, useId, useMemo, useRef, useState } from 'react'
import { counted, formatInteger } from '#lib/browser/format.ts'
import { type GoodRun, goodRunOf, type Place, type Stream } from '#lib/studio/runs/run.ts'
import { loopsIn } from '#lib/studio/runs/run-stop.ts'
import type { CapturedWorld, ExplainState, Particle, PreviewState } from '#lib/studio/runs/runs.ts'
import { Boundary } from '#lib/ui/kit/boundary.tsx'
import { Button } from '#lib/ui/kit/button.tsx'
import { Check } from '#lib/ui/kit/choice.tsx'
import { Disclosure } from '#lib/ui/kit/disclosure.tsx'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import { Tabs, tabId } from '#lib/ui/kit/tabs.tsx'
import { isApart, PICTURES, type PictureKind, type Scene } from '#lib/ui/plots/scene.ts'
import { RESULT_VIEWS, type ResultView, useEditorChoice } from '../common/editor-choice.ts'
import { describeComparison, describePlot } from './descriptions.ts'
import { Exports } from './exports.tsx'
import { Overview, StepField } from './overview.tsx'
import { PathLegend } from './pictures/lanes.tsx'
import { Picture, type SavePng } from './pictures/picture.tsx'
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
  /** Beside the choice of the view. */
  readonly actions?: ReactNode
  /** Content that is folded away below all of it. */
  readonly details?: ReactNode
  /** The attached Worlds, as a view of their own; absent for none. */
  readonly worlds?: ReactNode
  /** Attached Worlds that can be saved as a picture or a clip. */
  readonly captured?: readonly CapturedWorld[]
}

/** Outdated plots fade after a delay, so that they do not flicker while a slider moves. Texts do not fade. */
const FADED = '[&_canvas]:opacity-50 [&_canvas]:transition-opacity [&_canvas]:delay-150 [&_canvas]:duration-0'

/** The particles of a connector as one picture with its knobs; numbers, settings and files are a press away. */
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
  actions,
  details,
  worlds,
  captured,
}: ResultsPanelProps) {
  const [pinned, setPinned] = useState<GoodRun>()
  const png = useRef<SavePng>(undefined)
  const shown = useShownViews(worlds)
  const id = useId()
  const good = useMemo(() => run.lastGood && goodRunOf(run.lastGood), [run.lastGood])
  const newest = run.phase === 'done' && run.answer?.question === run.question ? run.answer : undefined
  const result = newest?.answer.result
  const old = good !== undefined && good.request !== run.question
  const stopped = blocked === undefined && result && result.outcome !== 'particles' ? result : undefined
  const foot = (
    <Foot open={shown.details} onOpen={(open) => shown.change({ details: open })}>
      <RunStatus {...{ run, good, old, blocked, onCancel, onAgain }} />
    </Foot>
  )
  return (
    <div aria-busy={run.phase === 'running'} className="@container flex min-w-0 flex-1 flex-col">
      <div className="flex min-h-10 items-center gap-1">
        {good ? (
          <Tabs
            {...VIEW_TABS}
            label="Show as"
            names={shown.views}
            chosen={shown.view}
            panelOf={() => id}
            onChoose={(next) => shown.change({ view: next })}
          />
        ) : null}
        <span className="ml-auto flex shrink-0 items-center gap-1">
          {actions}
          {good ? <Exports run={good} png={png} worlds={captured} /> : null}
        </span>
      </div>
      {stopped ? (
        <div className="my-2">
          <RunFailure result={stopped} loops={loopsIn(run.question)} onShow={onShow} />
        </div>
      ) : null}
      {good ? (
        <div className={`flex flex-1 flex-col ${old ? FADED : ''}`}>
          <Views
            {...{ id, of, pinned, explanation, onExplain, controls, worlds, shown, png }}
            run={good}
            onPin={setPinned}
          >
            {foot}
          </Views>
        </div>
      ) : (
        <>
          {/* The room of the picture, so that nothing moves when it comes. */}
          <div className="flex min-h-60 flex-1 flex-col pb-2">{worlds}</div>
          {controls}
          {foot}
        </>
      )}
      {shown.details ? (
        <>
          {details}
          {run.lastGood ? (
            <p className="pt-2 text-ink-soft text-xs">
              Took {formatInteger(Math.round(run.lastGood.tookMs))} ms.
            </p>
          ) : null}
        </>
      ) : null}
    </div>
  )
}

/** Opens the details; beside it stands what one has to know of the run. */
function Foot({
  open,
  onOpen,
  children,
}: {
  open: boolean
  onOpen: (open: boolean) => void
  children: ReactNode
}) {
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3">
      <Disclosure open={open} onOpen={onOpen} className="-ml-2">
        Details
      </Disclosure>
      {children}
    </div>
  )
}

/** The view that is chosen, and whether the details are open. */
function useShownViews(worlds: ReactNode) {
  const [choice, change] = useEditorChoice()
  const views = RESULT_VIEWS.filter(([each]) => each !== 'world' || worlds)
  const view = (views.find(([each]) => each === choice.view) ?? views[0]!)[0]
  return { views, view, details: choice.details ?? false, change }
}

type ShownViews = ReturnType<typeof useShownViews>

function Views({
  id,
  of,
  run,
  pinned,
  onPin,
  explanation,
  onExplain,
  controls,
  worlds,
  shown: { view, details },
  png,
  children,
}: {
  /** Id of the view's panel. */
  id: string
  of: string
  run: GoodRun
  pinned: GoodRun | undefined
  onPin: (run: GoodRun | undefined) => void
  explanation: ExplainState
  onExplain: (particle: Particle | undefined) => void
  controls: ReactNode
  worlds: ReactNode
  shown: ShownViews
  png: RefObject<SavePng | undefined>
  /** Between the picture with its knobs and the details. */
  children: ReactNode
}) {
  const { streams } = run
  const pictures = usePictures(of, run, pinned)
  const isPicture = isPictureKind(view)

  const stream = streams[pictures.chosen]
  if (stream === undefined) return null
  return (
    <div className="flex flex-1 flex-col gap-2">
      {pinned ? (
        <p role="status" className="text-sm">
          {pictures.differences
            ? `Against the pinned run of ${pinned.request.connector_name} (dashed): ${describeComparison(pictures.differences)}`
            : 'This run is pinned: change something, and later runs are compared with it.'}
        </p>
      ) : null}
      <div
        role="tabpanel"
        id={id}
        aria-labelledby={tabId(id, view)}
        className="flex min-h-[max(15rem,min(46dvh,calc(100dvh-21rem)))] min-w-0 flex-1 flex-col"
      >
        {view === 'world' ? worlds : <View {...{ view, pictures, streams, png }} />}
      </div>
      {streams.length > pictures.lanes && isPicture ? (
        <div>
          <Button onClick={pictures.showMore}>Show more of {counted(streams.length, 'voice')}</Button>
        </div>
      ) : null}
      {controls}
      {children}
      {details ? (
        <>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
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
          <div className="flex flex-wrap items-center gap-2">
            <IconButton
              look="outline"
              label={pinned ? 'Unpin' : 'Pin to compare'}
              title={pinned ? 'Unpin' : 'Pin to compare: later runs are drawn over this one'}
              onClick={() => onPin(pinned ? undefined : run)}
            >
              {pinned ? <PinOff /> : <Pin />}
            </IconButton>
            {view === 'lines' ? (
              <>
                <Check checked={pictures.together} onCheck={pictures.setTogether}>
                  Together
                </Check>
                <Check checked={pictures.sameScale} onCheck={pictures.setSameScale}>
                  One scale for all
                </Check>
              </>
            ) : null}
          </div>
          <Reason
            run={run}
            stream={stream}
            pictures={pictures}
            explanation={explanation}
            onExplain={onExplain}
          />
        </>
      ) : null}
    </div>
  )
}

const VIEW_TABS = {
  className: 'min-w-0 max-w-full overflow-x-auto [scrollbar-width:none]',
  look: 'min-h-10 px-2 touch:min-h-11',
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
  png: RefObject<SavePng | undefined>
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
  return `${counted(streams.length, 'voice')} ${what}. ${paths}`
}
