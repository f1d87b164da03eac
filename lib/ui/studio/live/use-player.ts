import { useCallback, useEffect, useId, useMemo, useState } from 'react'
import { soundOf } from '#lib/engine/sound/presented-sound.ts'
import type { ConnectorSound } from '#lib/engine/sound/settings.ts'
import { startsWire } from '#lib/protocol/definition-wire.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'
import type { PreviewRequest } from '#lib/server/operations/studio/preview-schemas.ts'
import { startHistory } from '#lib/studio/document/history.ts'
import { EMPTY_VIEW } from '#lib/studio/document/types.ts'
import { libraryEntities, readEntities } from '#lib/studio/library/live-library.ts'
import { type LiveDocument, readLive } from '#lib/studio/live/live-document.ts'
import type { Player } from '#lib/studio/live/player.ts'
import { type GoodRun, goodRunOf } from '#lib/studio/runs/run.ts'
import { stopSentence } from '#lib/studio/runs/run-stop.ts'
import type { PreviewState } from '#lib/studio/runs/runs.ts'
import { sliceOf } from '#lib/studio/runs/slice.ts'
import type { Source } from '#lib/studio/sound/transport.ts'
import { useValue } from '#lib/ui/components/value.ts'
import type { LiveParts } from '#lib/views/live-parts.ts'
import { useTransport } from '../transport/use-transport.ts'
import type { LiveRunProps } from './live-layout.ts'

const NO_STARTS: NonNullable<LiveRunProps['starts']> = []
const NO_SOUND: ConnectorSound = {}

/** Returns the published connector as a document, read once, with the problem of a read that failed. */
export function useLiveDocument(
  player: Player,
  name: string | undefined,
  asPublished: boolean,
  parts: LiveParts | undefined,
) {
  const [attempt, setAttempt] = useState(0)
  const [published, setPublished] = useState<LiveDocument>()
  const [problem, setProblem] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt is another one
  useEffect(() => {
    if (name === undefined) return
    let isUnmounted = false
    setProblem(undefined)
    const delivered = parts && libraryEntities(parts.entities)
    readLive(name, async (names) => delivered ?? readEntities(names, { asPublished })).then(
      (live) => {
        if (isUnmounted) return
        if (live) player.document.replace(startHistory(live.document), EMPTY_VIEW)
        setPublished(live)
        if (live === undefined) setProblem(`There is no piece called ${name}.`)
      },
      () => isUnmounted || setProblem('The site does not answer.'),
    )
    return () => {
      isUnmounted = true
    }
  }, [player, name, asPublished, parts, attempt])
  const isRetried = problem !== undefined && published === undefined
  return { published, problem, again: isRetried ? () => setAttempt(attempt + 1) : undefined }
}

/**
 * Returns the last good run of a player, and why it stops. The server runs what this browser cannot.
 *
 * @param changed Undefined while it is as published.
 */
export function useLiveRun(
  player: Player,
  props: LiveRunProps,
  steps: number,
  changed: LiveDocument | undefined,
) {
  const { name, starts = NO_STARTS, delivered } = props
  const sealed = isSealed(props)
  const request = useMemo((): PreviewRequest | undefined => {
    if (sealed) return undefined
    const slice = changed
      ? sliceOf(changed.document, changed.root)
      : { connector_name: name, connectors: [], bodies: [] }
    return slice && { ...slice, particles_count: steps, dynamic_ri: startsWire(starts) }
  }, [name, starts, steps, changed, sealed])
  const run = player.runs.of(name)
  const state = useValue(run.state)
  useEffect(() => run.ask(request), [run, request])
  useEffect(() => () => run.ask(undefined), [run])
  const good = useMemo(
    () =>
      sealed && delivered
        ? {
            request: { connector_name: name, connectors: [], bodies: [], particles_count: steps },
            streams: delivered,
          }
        : state.lastGood && goodRunOf(state.lastGood),
    [state.lastGood, sealed, delivered, name, steps],
  )
  return { good, stop: stopOf(state) }
}

/**
 * Whether the page is in a sandbox that takes its origin away, as some sites frame what they embed: no request is answered
 * there and no worker begins, so it plays what was delivered with it.
 */
export function isSealed({ delivered }: LiveRunProps): boolean {
  return delivered !== undefined && delivered.length > 0 && typeof origin !== 'undefined' && origin === 'null'
}

/** Why the newest numbers have no particles; undefined where they have. */
function stopOf({ phase, message, answer, question }: PreviewState): string | undefined {
  if (phase === 'failed') return `${message}.`
  if (phase !== 'done' || answer?.question !== question || answer === undefined) return undefined
  const { result } = answer.answer
  if (result.outcome === 'rejected') return stopSentence(result)
  return result.outcome === 'invalid' ? result.problems.map((each) => each.message).join('. ') : undefined
}

/** The sound of a presentation until the listener changes it. */
export function usePresentedSound(present: Presentation | undefined) {
  const published = useMemo(() => (present ? soundOf(present) : NO_SOUND), [present])
  const [chosen, setChosen] = useState<ConnectorSound>()
  const change = useCallback(
    (next: (sound: ConnectorSound) => ConnectorSound) => setChosen((before) => next(before ?? published)),
    [published],
  )
  return [chosen ?? published, change] as const
}

/** Loads what is played here into the transport of the page, when it is pressed or nothing else has it. */
export function useLiveSource(
  player: Player,
  good: GoodRun | undefined,
  sound: ConnectorSound,
  setSound: (change: (sound: ConnectorSound) => ConnectorSound) => void,
) {
  const key = `live/${useId()}`
  const { transport } = player.sound
  const { source: loaded, playing, problem } = useTransport()
  const onSound = useCallback<Source['onSound']>((_label, change) => setSound(change), [setSound])
  const source = useMemo(
    (): Source | undefined =>
      good && { key, name: good.request.connector_name, streams: good.streams, sound, onSound },
    [key, good, sound, onSound],
  )
  const mine = loaded?.key === key
  useEffect(() => {
    const before = transport.getState().source
    if (source && (before === undefined || before.key === key)) transport.load(source)
  }, [source, key, transport])
  useEffect(
    () => () => {
      if (transport.getState().source?.key === key) transport.reset()
    },
    [key, transport],
  )
  const press = () => {
    if (source === undefined) return
    if (!mine) transport.load(source)
    if (mine || !playing) transport.toggle()
  }
  return { key, mine, playing: mine && playing, press, problem: mine && problem !== '' ? problem : undefined }
}
