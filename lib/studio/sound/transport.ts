import { browserMemory } from '#lib/browser/memory.ts'
import { prefersReducedMotion } from '#lib/browser/reduced-motion.ts'
import { createValue, type Readable } from '#lib/browser/value.ts'
import type { SoundRecording } from '#lib/core/worlds/sdk/clip.ts'
import { type Arrangement, arrange } from '#lib/engine/sound/arrangement.ts'
import type { ConnectorSound } from '#lib/engine/sound/settings.ts'
import type { Stream } from '../runs/run.ts'
import { patternOf } from './pattern-of.ts'
import type { FromSynth, ToSynth } from './synth/pattern.ts'
import { createSynthNode } from './synth-node.ts'

/** The good run in front, and the settings of its connector. */
export interface Source {
  /** `tabKey` of the connector's tab. */
  readonly key: string
  readonly name: string
  readonly streams: readonly Stream[]
  readonly sound: ConnectorSound
  /** Changes the settings; edits in a row with the same `merge` are one step of undo. */
  readonly onSound: (label: string, change: (sound: ConnectorSound) => ConnectorSound, merge?: string) => void
}

export interface TransportState {
  readonly playing: boolean
  /** Undefined until something has run. */
  readonly source: Source | undefined
  readonly arrangement: Arrangement | undefined
  /** 0..1 */
  readonly volume: number
  /** Why there is no sound, as a sentence; empty for none. */
  readonly problem: string
}

/** Where the sound is, for pictures and Worlds. */
export interface Playhead {
  readonly playing: boolean
  /** `Source.key` of what sounds. */
  readonly key: string | undefined
  readonly step: number
}

/** A step that begins at `atMs` of `performance.now()`. */
export interface StepEvent {
  readonly step: number
  readonly atMs: number
  readonly stepMs: number
}

/** The page's transport: what is loaded plays on whatever is opened, edited or broken, until `stop`. */
export interface Transport extends Readable<TransportState> {
  readonly playhead: Readable<Playhead>
  /** Notes the moment of an edit: its run may arrive when the next step has just begun. */
  edited(): void
  /** Takes a run over at the next step. The same run and settings change nothing. */
  load(source: Source): void
  /** Plays a source in place of the own one, which `load` changes meanwhile. Under the same key it follows its settings. */
  lend(source: Source): void
  /** Brings the own source back. @param lent With `keep` what was lent is the own one from now on. */
  endLoan(lent?: 'keep'): void
  /** The own source, also while another one is lent. */
  own(): Source | undefined
  /** Call it while handling a press: browsers allow no sound before. */
  play(): void
  stop(): void
  toggle(): void
  /** Goes to a step; while it plays, at the next one. */
  seek(step: number): void
  setVolume(volume: number): void
  /** Called for every step, and with undefined when the sound stops. */
  onStep(listener: (event: StepEvent | undefined) => void): () => void
  /** Stops, goes to the first step and opens the sound for a recording, as loud as it is mixed, whatever the volume. Call it within a press. @throws {Error} Without sound, and while it is recorded. */
  record(): Promise<SoundRecording>
  /** Stops and drops what is loaded. */
  reset(): void
}

const VOLUME_KEY = 'weft-volume'
/** As loud as the mix, less a decibel. */
export const DEFAULT_VOLUME = 0.95
/** Notes ring out before the audio thread pauses. */
const SUSPEND_AFTER_MS = 4_000
/** A pattern belongs to an edit for this long. */
const RUN_SECONDS = 0.5
/** A system that takes longer to begin does not give the sound. */
const RESUME_WITHIN_MS = 10_000
const MAX_EDITS = 32

interface Audio {
  readonly context: AudioContext
  readonly synth: AudioNode
  readonly gain: GainNode
  readonly send: (message: ToSynth) => void
}

export function createTransport(): Transport {
  const state = createValue<TransportState>({
    playing: false,
    source: undefined,
    arrangement: undefined,
    volume: storedVolume(),
    problem: '',
  })
  const playhead = createValue<Playhead>({ playing: false, key: undefined, step: 0 })
  const stepListeners = new Set<(event: StepEvent | undefined) => void>()
  const setState = (next: Partial<TransportState>) => state.setState({ ...state.getState(), ...next })
  let own: Source | undefined
  let isLent = false
  let audio: Promise<Audio> | undefined
  let context: AudioContext | undefined
  /** Whether the sound was asked for and has not begun; the context may be at rest until then. */
  let resuming = false
  let suspending: ReturnType<typeof setTimeout> | undefined
  let patterns = 0
  /** Source of each pattern that may still be reported. */
  let sources: { readonly id: number; readonly key: string }[] = []
  /** Moments of the newest edits, in seconds of the audio clock. */
  let edits: readonly number[] = []
  /** Presses of Play and Stop: a report from before the last one is dropped. */
  let presses = 0
  let isRecording = false

  const post = (message: ToSynth) => void audio?.then(({ send }) => send(message), ignore)

  const postPattern = () => {
    const { arrangement, source } = state.getState()
    if (audio === undefined || arrangement === undefined || source === undefined) return
    // While a number is dragged, the run of one edit arrives after the next: the oldest is the one that counts.
    const since = (context?.currentTime ?? 0) - RUN_SECONDS
    const editedAt = edits.find((at) => at > since)
    patterns += 1
    sources = [...sources.slice(-8), { id: patterns, key: source.key }]
    post({
      kind: 'pattern',
      pattern: patternOf(arrangement, patterns),
      ...(editedAt !== undefined && { editedAt }),
    })
  }

  const openAudio = async (opened: AudioContext): Promise<Audio> => {
    const node = await createSynthNode(opened)
    const gain = opened.createGain()
    gain.gain.value = gainOf(state.getState().volume)
    node.connect(gain).connect(opened.destination)
    node.port.onmessage = ({ data }: MessageEvent<FromSynth>) => handle(data, opened)
    return { context: opened, synth: node, gain, send: (message) => node.port.postMessage(message) }
  }

  /** A listener that throws, for instance since its device was unplugged, holds up neither the others nor the playhead. */
  const report = (event: StepEvent | undefined) => {
    for (const listener of stepListeners) {
      try {
        listener(event)
      } catch (error) {
        console.warn(error)
      }
    }
  }

  const handle = (message: FromSynth, { currentTime, outputLatency = 0 }: AudioContext) => {
    const own = presses
    if (message.kind === 'end') {
      if (state.getState().playing) stop()
      playhead.setState({ ...playhead.getState(), step: 0 })
      return
    }
    // Steps under way when the sound was stopped: whoever follows them was told of the stop.
    if (!state.getState().playing) return
    const { step, atSeconds, pattern, stepSeconds } = message
    const delayMs = Math.max(0, (atSeconds - currentTime + outputLatency) * 1000)
    report({ step, atMs: performance.now() + delayMs, stepMs: stepSeconds * 1000 })
    const show = () => {
      if (own !== presses || !state.getState().playing) return
      // Once a beat is enough under prefers-reduced-motion.
      if (step % (state.getState().arrangement?.stepsPerBeat ?? 1) !== 0 && prefersReducedMotion()) return
      const key = sources.find(({ id }) => id === pattern)?.key ?? playhead.getState().key
      playhead.setState({ playing: true, key, step })
    }
    if (delayMs < 4) show()
    else setTimeout(show, delayMs)
  }

  /** A call, a lock, another application: the system takes the sound away. What begins again is the reader's to say. */
  const interrupted = () => {
    if (!state.getState().playing) return
    stop()
    setState({ problem: INTERRUPTED })
  }
  const watchSystem = () => {
    if (context?.state === 'running' || (context?.state === 'suspended' && resuming)) return
    interrupted()
  }
  const resume = async (resumed: AudioContext) => {
    const own = presses
    resuming = true
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      await Promise.race([
        resumed.resume(),
        new Promise((_, reject) => {
          timer = setTimeout(reject, RESUME_WITHIN_MS)
        }),
      ])
    } catch {
      // Handled by what the context says now.
    }
    clearTimeout(timer)
    if (own !== presses) return
    resuming = false
    if (resumed.state !== 'running') interrupted()
  }

  const setSource = (source: Source) => {
    const before = state.getState().source
    const unchanged =
      before?.key === source.key && before.streams === source.streams && before.sound === source.sound
    setState({
      source,
      ...(unchanged ? {} : { arrangement: arrange(source.streams, source.sound) }),
    })
    if (unchanged) return
    if (before?.key !== source.key && !state.getState().playing) {
      playhead.setState({ playing: false, key: source.key, step: 0 })
    }
    if (state.getState().playing) postPattern()
  }

  /** Opens and resumes the sound, within a press: after an `await` browsers refuse it. @throws {Error} Without sound. */
  const open = () => {
    clearTimeout(suspending)
    presses += 1
    if (context === undefined || context.state === 'closed') {
      context = new AudioContext({ latencyHint: 'interactive' })
      context.addEventListener('statechange', watchSystem)
      audio = undefined
    }
    const resumed = resume(context)
    audio ??= openAudio(context)
    audio.catch(() => {
      audio = undefined
    })
    return { opened: audio, resumed }
  }
  const rest = () => {
    clearTimeout(suspending)
    suspending = setTimeout(() => void context?.suspend().catch(ignore), SUSPEND_AFTER_MS)
  }

  const play = () => {
    const { arrangement, playing, source } = state.getState()
    if (playing || arrangement === undefined || arrangement.steps === 0) return
    let opened: Promise<Audio>
    try {
      opened = open().opened
    } catch {
      setState({ problem: NO_SOUND })
      return
    }
    const own = presses
    setState({ playing: true, problem: '' })
    const { step } = playhead.getState()
    const from = step >= arrangement.steps ? 0 : step
    playhead.setState({ playing: true, key: source?.key, step: from })
    postPattern()
    post({ kind: 'play', from })
    opened.catch(() => {
      if (own === presses) setState({ playing: false, problem: NO_SOUND })
    })
  }

  const stop = () => {
    if (!state.getState().playing) return
    presses += 1
    resuming = false
    post({ kind: 'stop' })
    setState({ playing: false })
    playhead.setState({ ...playhead.getState(), playing: false })
    report(undefined)
    rest()
  }

  return {
    getState: state.getState,
    subscribe: state.subscribe,
    playhead,
    edited() {
      if (context !== undefined) edits = [...edits.slice(1 - MAX_EDITS), context.currentTime]
    },
    load(source) {
      own = source
      const { source: lent } = state.getState()
      if (!isLent) setSource(source)
      else if (lent?.key === source.key) setSource({ ...lent, sound: source.sound, onSound: source.onSound })
    },
    lend(source) {
      isLent = true
      setSource(source)
    },
    endLoan(lent) {
      if (!isLent) return
      isLent = false
      if (lent === 'keep') own = state.getState().source
      else if (own) setSource(own)
    },
    own: () => own,
    play,
    stop,
    toggle: () => (state.getState().playing ? stop() : play()),
    seek(step) {
      const { arrangement, source } = state.getState()
      if (arrangement === undefined) return
      const to = Math.max(0, Math.min(arrangement.steps - 1, Math.round(step)))
      playhead.setState({ ...playhead.getState(), key: source?.key, step: to })
      post({ kind: 'seek', step: to })
    },
    setVolume(volume) {
      setState({ volume })
      browserMemory.write(VOLUME_KEY, String(volume))
      void audio?.then(({ context: { currentTime }, gain }) => {
        gain.gain.setTargetAtTime(gainOf(volume), currentTime, 0.015)
      }, ignore)
    },
    onStep(listener) {
      stepListeners.add(listener)
      return () => {
        stepListeners.delete(listener)
      }
    },
    async record() {
      if (isRecording) throw new Error('The sound is recorded already.')
      isRecording = true
      let release = () => {}
      const end = () => {
        isRecording = false
        release()
        if (state.getState().playing) stop()
        else rest()
      }
      try {
        stop()
        playhead.setState({ ...playhead.getState(), step: 0 })
        const { opened, resumed } = open()
        const [{ context: running, synth }] = await Promise.all([opened, resumed])
        const tap = running.createMediaStreamDestination()
        const [track] = tap.stream.getAudioTracks()
        synth.connect(tap)
        release = () => {
          synth.disconnect(tap)
          track?.stop()
        }
        if (track === undefined || running.state !== 'running') throw new Error(NO_SOUND)
        return { track, play, end }
      } catch (error) {
        end()
        throw error
      }
    },
    reset() {
      stop()
      own = undefined
      isLent = false
      playhead.setState({ playing: false, key: undefined, step: 0 })
      setState({ source: undefined, arrangement: undefined, problem: '' })
    },
  }
}

const INTERRUPTED = 'The system has taken the sound away, for a call or another app. Press Play to go on.'

const NO_SOUND =
  'This browser plays no sound on this page. It needs audio worklets, which browsers have on https only.'

/** Gain of a volume from 0 to 1: an ear hears loudness by powers. At most 1, since it comes after the limiter. */
function gainOf(volume: number): number {
  return volume ** 2
}

/** That of the last visit; pages made by a server show none. */
function storedVolume(): number {
  const stored = Number(browserMemory.read(VOLUME_KEY) ?? DEFAULT_VOLUME)
  return stored >= 0 && stored <= 1 ? stored : DEFAULT_VOLUME
}

function ignore(): void {}
