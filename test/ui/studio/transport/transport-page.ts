/* The transport bar on a page of its own: the test loads runs, edits their sound, and reads what reaches the speakers. */

import { createElement as h, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { arrange } from '#lib/engine/sound/arrangement.ts'
import type { ConnectorSound } from '#lib/engine/sound/settings.ts'
import { createPlayer } from '#lib/studio/live/player.ts'
import type { Stream } from '#lib/studio/runs/run.ts'
import type { MidiDevices } from '#lib/studio/sound/midi-devices.ts'
import { renderMix, renderStems } from '#lib/studio/sound/render.ts'
import type { Pattern } from '#lib/studio/sound/synth/pattern.ts'
import { createSynthNode } from '#lib/studio/sound/synth-node.ts'
import type { StepEvent, Transport } from '#lib/studio/sound/transport.ts'
import { pageEngine, pageSound } from '#lib/ui/studio/common/page.ts'
import { PlayerProvider } from '#lib/ui/studio/common/session.tsx'
import { TransportBar } from '#lib/ui/studio/transport/transport-bar.tsx'

/** The page's API for its test driver. */
export interface TransportPage {
  load(name: string, streams: readonly Stream[], sound?: ConnectorSound): void
  sounds: Record<string, ConnectorSound>
  readonly transport: Transport
  readonly onMidiControl: MidiDevices['onControl']
  /** Steps as the transport reported them. */
  readonly steps: StepEvent[]
  /** Labels of edits to the settings. */
  edits: string[]
  /** Sound since `record` was called: one channel, and the frame of its first sample. */
  record(): Promise<void>
  recorded(): Promise<{ readonly rate: number; readonly firstFrame: number; readonly samples: Float32Array }>
  /** WAV files in base64: numbers one by one take a browser's driver many seconds. */
  mix(streams: readonly Stream[], sound: ConnectorSound): Promise<string>
  stems(streams: readonly Stream[], sound: ConnectorSound): Promise<{ name: string; wav: string }[]>
  contexts: AudioContext[]
  /** Renders one channel of `seconds` in an offline context, whose clock no other work of the machine disturbs. */
  renderOffline(plan: OfflinePlan): Promise<Float32Array>
}

export interface OfflinePlan {
  readonly rate: number
  readonly seconds: number
  readonly first: SentPattern
  readonly edits: readonly {
    readonly editedAt: number
    readonly arrivesAt: number
    readonly pattern: SentPattern
  }[]
}

/** A loop of one path. */
export interface SentPattern {
  readonly stepSeconds: number
  readonly instrument: Pattern['tracks'][number]['instrument']
  readonly notes: readonly number[]
}

const RECORDER = `registerProcessor('recorder', class extends AudioWorkletProcessor {
  process([input]) {
    if (input[0]) this.port.postMessage({ frame: currentFrame, samples: input[0].slice() })
    return true
  }
})`

const player = createPlayer({ engine: pageEngine, sound: pageSound() })
const { transport, midi } = player.sound
const page = window as unknown as TransportPage
page.contexts = []
const chunks: { frame: number; samples: Float32Array }[] = []
let sink: { context: BaseAudioContext; source: AudioNode } | undefined
const connect = AudioNode.prototype.connect
AudioNode.prototype.connect = function (this: AudioNode, ...args: unknown[]) {
  if (args[0] instanceof AudioDestinationNode && this.context instanceof AudioContext) {
    page.contexts.push(this.context)
    sink = { context: this.context, source: this }
  }
  return Reflect.apply(connect, this, args)
} as typeof connect

page.record = async () => {
  chunks.length = 0
  if (sink === undefined) throw new Error('Nothing plays')
  const { context, source } = sink
  const url = URL.createObjectURL(new Blob([RECORDER], { type: 'text/javascript' }))
  await context.audioWorklet.addModule(url)
  const node = new AudioWorkletNode(context, 'recorder', { numberOfOutputs: 0 })
  node.port.onmessage = ({ data }) => chunks.push(data)
  Reflect.apply(connect, source, [node])
}
page.recorded = async () => {
  const samples = new Float32Array(chunks.length * 128)
  for (const [index, chunk] of chunks.entries()) samples.set(chunk.samples, index * 128)
  return { rate: sink?.context.sampleRate ?? 0, firstFrame: chunks[0]?.frame ?? 0, samples }
}

const ECHO = `registerProcessor('echo', class extends AudioWorkletProcessor {
  constructor() {
    super()
    this.port.onmessage = () => this.port.postMessage(0)
  }
  process() {
    return true
  }
})`

page.renderOffline = async ({ rate, seconds, first, edits }) => {
  const context = new OfflineAudioContext(1, seconds * rate, rate)
  const synth = await createSynthNode(context, { pattern: toPattern(first, 0) })
  synth.connect(context.destination)
  await context.audioWorklet.addModule(URL.createObjectURL(new Blob([ECHO], { type: 'text/javascript' })))
  const echo = new AudioWorkletNode(context, 'echo')
  for (const [index, { editedAt, arrivesAt, pattern }] of edits.entries()) {
    void context.suspend(arrivesAt).then(async () => {
      const handled = new Promise((resolve) => {
        echo.port.onmessage = resolve
      })
      synth.port.postMessage({ kind: 'pattern', pattern: toPattern(pattern, index + 1), editedAt })
      echo.port.postMessage(0)
      await handled
      await context.resume()
    })
  }
  return (await context.startRendering()).getChannelData(0)
}

function toPattern({ stepSeconds, instrument, notes }: SentPattern, id: number): Pattern {
  const levels = new Uint8Array(notes.length).fill(127)
  const track = { key: '0', instrument, notes: Int8Array.from(notes), levels, pan: 0 }
  return { id, steps: notes.length, stepSeconds, loop: true, gain: 0.5, tracks: [track] }
}

page.sounds = {}
page.edits = []
page.load = (name, streams, sound = page.sounds[name] ?? {}) => {
  page.sounds[name] = sound
  transport.load({
    key: `entry/${name}`,
    name,
    streams,
    sound,
    onSound: (label, change) => {
      page.edits.push(label)
      page.load(name, streams, change(page.sounds[name] ?? {}))
    },
  })
}
Object.assign(page, {
  transport,
  onMidiControl: midi.onControl.bind(midi),
  steps: [],
})
page.mix = async (streams, sound) => inBase64(await renderMix(arrange(streams, sound)))
page.stems = async (streams, sound) => {
  const stems = await renderStems(arrange(streams, sound), () => {})
  return Promise.all(stems.map(async ({ name, wav }) => ({ name, wav: await inBase64(wav) })))
}

function inBase64(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^.*,/, ''))
    reader.readAsDataURL(new Blob([bytes]))
  })
}

transport.onStep((event) => {
  if (event) page.steps.push(event)
})

function Page() {
  useEffect(() => {
    document.body.dataset.ready = ''
  }, [])
  return h(
    'main',
    null,
    h('h1', { className: 'sr-only' }, 'Transport'),
    h('textarea', { 'aria-label': 'Text' }),
    h('div', { className: 'fixed inset-x-0 bottom-0' }, h(TransportBar)),
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  h(PlayerProvider, { value: player }, h(Page)),
)
