'use client'

import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { setNumber } from '#lib/studio/document/commands/knobs.ts'
import { thrown } from '#lib/studio/document/knob.ts'
import { DEFAULT_STEPS, type StudioDocument } from '#lib/studio/document/types.ts'
import { keepOnArrival } from '#lib/studio/keep/link.ts'
import {
  keepHref,
  knobsOf,
  type LiveDocument,
  type LiveKnob,
  liveKnobKey,
  rootOf,
} from '#lib/studio/live/live-document.ts'
import { createPlayer, type Player } from '#lib/studio/live/player.ts'
import { type GoodRun, stepsOf } from '#lib/studio/runs/run.ts'
import { readKnobs, withKnobs } from '#lib/ui/components/knob-query.ts'
import { useValue } from '#lib/ui/components/value.ts'
import { Boundary } from '#lib/ui/kit/boundary.tsx'
import { Button, TextButton } from '#lib/ui/kit/button.tsx'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import { reportPlay } from '#lib/ui/people/requests.ts'
import { isApart, type PictureKind } from '#lib/ui/plots/scene.ts'
import type { CaptureOffer } from '#lib/ui/world/use-capture.ts'
import type { PluginWorld } from '#lib/views/gallery.ts'
import { KnobRow, KnobSlider } from '../common/knob-slider.tsx'
import { pageEngine, pageSound } from '../common/page.ts'
import { PlayerProvider } from '../common/session.tsx'
import { PathLegend } from '../results/pictures/lanes.tsx'
import { Picture } from '../results/pictures/picture.tsx'
import { usePictures } from '../results/use-pictures.ts'
import { PlayButton } from '../transport/play-button.tsx'
import { Position, VolumeField } from '../transport/transport-controls.tsx'
import { usePlayhead, useTransport } from '../transport/use-transport.ts'
import type { LiveWorldProps } from '../worlds/live-world.tsx'
import { usePieceWorld } from '../worlds/use-piece-world.ts'
import { BAR, knobsShape, type LiveRunProps, stageShape } from './live-layout.ts'
import { useStageOffer } from './stage-offer.tsx'
import { StageStill } from './stage-still.tsx'
import { isSealed, useLiveDocument, useLiveRun, useLiveSource, usePresentedSound } from './use-player.ts'

const liveWorld = laterPart('The World', () =>
  import('../worlds/live-world.tsx').then((loaded) => loaded.LiveWorld),
)

/** Browsers refuse pages that change their address at every frame. */
const ADDRESS_MS = 400

type Numbers = readonly { readonly knob: LiveKnob; readonly value: number }[]

/** The player of `LiveRun`: loaded when it comes into sight. */
export function LivePlayer(props: LiveRunProps) {
  const { parts } = props
  const [player] = useState(() => {
    if (parts) pageEngine().learn(parts.names, parts.artifacts)
    return createPlayer({ engine: pageEngine, sound: pageSound() })
  })
  return (
    <PlayerProvider value={player}>
      <Playing {...props} player={player} />
    </PlayerProvider>
  )
}

function Playing({ player, ...props }: LiveRunProps & { player: Player }) {
  const { name, knobs = true, compact = false, world, onKeep, onState } = props
  const sealed = isSealed(props)
  const { published, problem, again } = useLiveDocument(
    player,
    sealed ? undefined : name,
    props.asPublished === true,
    props.parts,
  )
  const { document } = useValue(player.document)
  const live = useMemo(
    () => published && { ...published, document, root: rootOf(document, name) },
    [published, document, name],
  )
  const changed = document === published?.document ? undefined : live
  useAddressedKnobs(props.addressed === true, published, changed, (numbers) => turn(numbers))
  const present = props.present ?? published?.present
  const steps = props.steps ?? present?.particles ?? DEFAULT_STEPS
  const { good, stop } = useLiveRun(player, props, steps, changed)
  const [sound, setSound] = usePresentedSound(present)
  const { key, mine, playing, press, problem: silence } = useLiveSource(player, good, sound, setSound)
  const { plugin, notice, finding } = usePieceWorld(world, present?.world, props.parts?.world)
  const drawing = useMemo(() => plugin && withStill(plugin, props.still), [plugin, props.still])
  const isFinding = finding !== undefined && plugin === undefined && notice === undefined
  const still = props.still === undefined ? undefined : <StageStill src={props.still} />
  const stage = useStageOffer()
  const offerStage = useCallback(
    (offer: CaptureOffer | undefined) => stage.setState({ ...stage.getState(), offer }),
    [stage],
  )
  const isAddressed = props.addressed === true
  useEffect(() => {
    if (!isAddressed || good === undefined) return
    stage.setState({ ...stage.getState(), run: { streams: good.streams, sound } })
    return () => stage.setState({ ...stage.getState(), run: undefined })
  }, [stage, isAddressed, good, sound])
  const played = useRef(false)
  const play = () => {
    if (!playing && !played.current) {
      played.current = true
      if (!sealed) reportPlay({ kind: 'connector', name })
    }
    press()
  }
  const turn = (numbers: Numbers) => {
    const turned = (document: StudioDocument) =>
      numbers.reduce(
        (before, { knob: { entryId, knob }, value }) =>
          setNumber(before, { entryId, target: knob.target }, String(value)),
        document,
      )
    if (published) player.document.edit('Turn knobs', turned, { merge: 'turn', hold: true })
  }
  const keep = async () => {
    if (live === undefined) return
    const href = await keepHref(live, sound, (await finding)?.plugin?.tile.id)
    if (onKeep) onKeep(href)
    else {
      keepOnArrival(href)
      window.location.assign(href)
    }
  }
  const remix = useEffectEvent(() => void keep())
  const isTurned = isAddressed && changed !== undefined
  useEffect(() => {
    if (!isTurned) return
    stage.setState({ ...stage.getState(), remix: () => remix() })
    return () => stage.setState({ ...stage.getState(), remix: undefined })
  }, [stage, isTurned])
  const shown = knobs && live ? knobsOf(live.document) : []
  const trouble = stop ?? silence ?? (good ? undefined : problem) ?? notice
  return (
    <>
      <div className={stageShape(props)}>
        {good === undefined ? (
          (props.children ?? <p className="m-auto p-4 text-ink-soft text-sm">{problem ?? 'Opening…'}</p>)
        ) : drawing ? (
          <LoadLater
            part={liveWorld}
            props={{
              of: key,
              world: drawing,
              run: good,
              address: changed ? undefined : published?.address,
              slots: world === undefined ? present?.world?.slots : undefined,
              plots: <Plots of={key} run={good} />,
              ...(props.addressed && { onOffer: offerStage }),
            }}
            opening={still ?? <Plots of={key} run={good} />}
            instead={PlotsOnly}
          />
        ) : isFinding && still ? (
          still
        ) : (
          <Plots of={key} run={good} />
        )}
      </div>
      {knobs ? (
        <div className={knobsShape(props)}>
          {shown.length === 0 ? null : (
            <KnobRow
              onDice={() =>
                turn(shown.map((each) => ({ knob: each, value: thrown(each.knob, Math.random()) })))
              }
            >
              {shown.map((each) => (
                <KnobSlider
                  key={liveKnobKey(each)}
                  name={each.knob.name}
                  value={each.value}
                  min={each.knob.min}
                  max={each.knob.max}
                  onValue={(value) => turn([{ knob: each, value }])}
                />
              ))}
            </KnobRow>
          )}
        </div>
      ) : null}
      <div className={BAR}>
        <PlayButton
          playing={playing}
          disabled={good === undefined}
          loading={good === undefined && (stop ?? problem) === undefined}
          title={good === undefined ? 'Nothing has run yet' : playing ? `Stop ${name}` : `Play ${name}`}
          onPress={play}
        />
        {good && mine ? <Position steps={stepsOf(good.streams)} /> : <span className="flex-1" />}
        {compact ? null : <Volume />}
        {knobs && live && !props.addressed ? (
          <Button className="shrink-0" title="Makes it your own piece, in the studio" onClick={keep}>
            Remix
          </Button>
        ) : null}
      </div>
      {onState ? <Reports onState={onState} good={good} mine={mine} /> : null}
      <p role="status" className={trouble === undefined ? 'sr-only' : 'pb-2 text-sm'}>
        {trouble}
        {trouble === problem && again ? (
          <>
            {' '}
            <TextButton onClick={again}>Try again</TextButton>
          </>
        ) : null}
      </p>
    </>
  )
}

/** A World that shows the picture of the piece until it plays. */
function withStill(plugin: PluginWorld, still: string | undefined): PluginWorld {
  if (still === undefined) return plugin
  return { ...plugin, tile: { ...plugin.tile, framed: { ...plugin.tile.framed, previewUrl: still } } }
}

/** Turns the knobs as the address of the page says, once they are there, and has the address follow them. */
function useAddressedKnobs(
  addressed: boolean,
  published: LiveDocument | undefined,
  changed: LiveDocument | undefined,
  turn: (numbers: Numbers) => void,
): void {
  const begin = useEffectEvent((document: StudioDocument) => {
    const known = knobsOf(document).map((each) => ({ ...each.knob, of: each }))
    const values = readKnobs(window.location.search, known)
    if (values.length > 0) turn(values.map(({ knob: { of }, value }) => ({ knob: of, value })))
  })
  useEffect(() => {
    if (addressed && published) begin(published.document)
  }, [addressed, published])
  useEffect(() => {
    if (!addressed || published === undefined || changed === undefined) return
    const timer = setTimeout(() => {
      const before = new Map(knobsOf(published.document).map((each) => [liveKnobKey(each), each.value]))
      const turned = knobsOf(changed.document).flatMap((each) =>
        each.value === undefined || each.value === before.get(liveKnobKey(each))
          ? []
          : [{ name: each.knob.name, value: each.value }],
      )
      window.history.replaceState(null, '', withKnobs(window.location.href, turned))
    }, ADDRESS_MS)
    return () => clearTimeout(timer)
  }, [addressed, published, changed])
}

/** Apart from the player, which need not render at every step. */
function Reports({
  onState,
  good,
  mine,
}: Required<Pick<LiveRunProps, 'onState'>> & { good: GoodRun | undefined; mine: boolean }) {
  const { playing, step } = usePlayhead()
  const report = useEffectEvent(onState)
  const steps = good ? stepsOf(good.streams) : 0
  useEffect(() => {
    report({ ready: steps > 0, playing: mine && playing, step: mine ? step : 0, steps })
  }, [steps, mine, playing, step])
  return null
}

/** Most lanes that a stage has room for. */
const LANES = 5

function Plots({ of, run }: { of: string; run: GoodRun }) {
  const pictures = usePictures(of, run, undefined)
  const kind: PictureKind = run.streams.length > LANES ? 'roll' : 'lines'
  const scene = pictures.sceneOf(kind)
  const { step, steps, setStep, setWindow, setChosen } = pictures
  return (
    <Boundary what="The picture" of={scene}>
      <Picture
        scene={scene}
        name={kind === 'roll' ? 'Roll' : 'Lines'}
        label={`${run.streams.length} voices of ${run.request.connector_name}, ${steps} steps`}
        step={step}
        steps={steps}
        differences={undefined}
        onStep={setStep}
        onWindow={setWindow}
        onChoose={setChosen}
        png={undefined}
      />
      {isApart(scene) ? null : <PathLegend scene={scene} step={step} onChoose={setChosen} />}
    </Boundary>
  )
}

/** In place of a World whose code cannot be loaded. */
function PlotsOnly({ plots }: LiveWorldProps) {
  return plots
}

function Volume() {
  const { volume } = useTransport()
  return <VolumeField className="hidden sm:flex" volume={volume} />
}
