/*
 * The module of the audio thread. `npm run generate` bundles it as text, which the page loads as an AudioWorklet.
 */
import type { FromSynth, Pattern, ToSynth } from './pattern.ts'
import { Sequencer } from './sequencer.ts'

/** Globals of audio worklets; the DOM's types lack them. */
declare const sampleRate: number
declare const currentFrame: number
declare function registerProcessor(name: string, processor: unknown): void
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}

export interface SynthOptions {
  /** Plays this from the first frame, for renderings that no message reaches in time. */
  readonly pattern?: Pattern
}

class SynthProcessor extends AudioWorkletProcessor {
  #sequencer: Sequencer

  constructor({ processorOptions }: { readonly processorOptions?: SynthOptions } = {}) {
    super()
    this.#sequencer = new Sequencer(sampleRate, (message: FromSynth) => this.port.postMessage(message))
    this.port.onmessage = ({ data }: MessageEvent<ToSynth>) => this.#sequencer.handle(data)
    if (processorOptions?.pattern === undefined) return
    this.#sequencer.handle({ kind: 'pattern', pattern: processorOptions.pattern })
    this.#sequencer.handle({ kind: 'play', from: 0 })
  }

  process(
    _inputs: readonly (readonly Float32Array[])[],
    [output]: readonly (readonly Float32Array[])[],
  ): boolean {
    // A busy browser leaves calls out, and its clock goes on.
    this.#sequencer.goTo(currentFrame)
    const [left, right] = output ?? []
    if (left !== undefined && right !== undefined) this.#sequencer.render(left, right)
    return true
  }
}

registerProcessor('weft-synth', SynthProcessor)
