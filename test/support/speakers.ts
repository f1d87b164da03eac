import type { BrowserContext, Page } from 'playwright'

/** Taps what goes to the speakers: `level()` is the loudest sample of the last 40 ms. */
export function tapSpeakers(context: BrowserContext): Promise<unknown> {
  return context.addInitScript(() => {
    const connect = AudioNode.prototype.connect
    AudioNode.prototype.connect = function (this: AudioNode, ...args: unknown[]) {
      if (args[0] instanceof AudioDestinationNode && this.context instanceof AudioContext) {
        const analyser = this.context.createAnalyser()
        analyser.fftSize = 2048
        Reflect.apply(connect, this, [analyser])
        const samples = new Float32Array(analyser.fftSize)
        Object.assign(window, {
          level: () => {
            analyser.getFloatTimeDomainData(samples)
            return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)
          },
        })
      }
      return Reflect.apply(connect, this, args)
    } as typeof connect
  })
}

/** The loudest sample of half a second. */
export function loudest(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const level = (window as unknown as { level?: () => number }).level ?? (() => 0)
    let most = 0
    for (const until = performance.now() + 500; performance.now() < until; ) {
      most = Math.max(most, level())
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return most
  })
}

/** Rendered sound since `measureGaps` was called, in seconds of the audio clock. */
export interface Gaps {
  /** The longest time below the threshold, at its end or in the middle. */
  readonly longest: number
  /** Time that was rendered and compared. */
  readonly measured: number
  /** Time of calls that the browser left out: its clock goes on, and nothing of the page can help it. */
  readonly leftOut: number
  /** States of the audio device since the page began, in order. */
  readonly states: readonly string[]
}

/**
 * Measures what goes to the speakers, sample by sample in the audio thread: `measureGaps` begins, `gaps` reads. A busy
 * browser leaves calls of worklets out while its clock goes on, so time is counted by rendered samples, and samples of a
 * call that the synthesiser was left out of are no silence of the piece.
 */
export function meterSpeakers(context: BrowserContext): Promise<unknown> {
  return context.addInitScript(() => {
    const METER = `
      const register = globalThis.registerProcessor
      globalThis.registerProcessor = (name, Processor) => {
        if (name === 'weft-synth') {
          const render = Processor.prototype.process
          Processor.prototype.process = function (...all) {
            globalThis.synthesised = currentFrame
            return render.apply(this, all)
          }
        }
        register(name, Processor)
      }
      register('meter', class extends AudioWorkletProcessor {
        constructor() {
          super()
          this.begin()
          this.port.onmessage = ({ data }) => {
            if (data === 'begin') this.begin()
            else {
              const longest = Math.max(this.longest, this.silent) / sampleRate
              const [measured, leftOut] = [this.measured / sampleRate, this.leftOut / sampleRate]
              this.port.postMessage({ longest, measured, leftOut })
            }
          }
        }
        begin() {
          Object.assign(this, { longest: 0, silent: 0, measured: 0, leftOut: 0, next: undefined })
        }
        process([[samples]]) {
          if (this.next !== undefined) this.leftOut += currentFrame - this.next
          this.next = currentFrame + 128
          if (globalThis.synthesised !== currentFrame) {
            this.leftOut += 128
            return true
          }
          this.measured += 128
          for (let at = 0; at < 128; at++) {
            if (samples !== undefined && Math.abs(samples[at]) > 0.001) {
              this.longest = Math.max(this.longest, this.silent)
              this.silent = 0
            } else this.silent++
          }
          return true
        }
      })`
    const url = URL.createObjectURL(new Blob([METER], { type: 'text/javascript' }))
    const add = AudioWorklet.prototype.addModule
    const ready = new WeakMap<AudioWorklet, Promise<void>>()
    AudioWorklet.prototype.addModule = async function (...args) {
      const metered = ready.get(this) ?? add.call(this, url)
      ready.set(this, metered)
      await metered
      return add.apply(this, args)
    }
    const states: string[] = []
    const connect = AudioNode.prototype.connect
    AudioNode.prototype.connect = function (this: AudioNode, ...args: unknown[]) {
      const { context: device } = this
      if (args[0] instanceof AudioDestinationNode && device instanceof AudioContext) {
        const meter = new AudioWorkletNode(device, 'meter', { numberOfOutputs: 0 })
        Reflect.apply(connect, this, [meter])
        device.addEventListener('statechange', () => states.push(device.state))
        Object.assign(window, {
          measureGaps: () => meter.port.postMessage('begin'),
          gaps: () =>
            new Promise((resolve) => {
              meter.port.onmessage = ({ data }) => resolve({ ...data, states })
              meter.port.postMessage('read')
            }),
        })
      }
      return Reflect.apply(connect, this, args)
    } as typeof connect
  })
}

/** Begins to measure; call it while it sounds. */
export function measureGaps(page: Page): Promise<void> {
  return page.evaluate(() => (window as unknown as { measureGaps: () => void }).measureGaps())
}

/** Returns the gaps once at least so many more seconds have been rendered. */
export async function gaps(page: Page, seconds: number): Promise<Gaps> {
  return page.evaluate(async (seconds) => {
    const read = () => (window as unknown as { gaps: () => Promise<Gaps> }).gaps()
    const { measured: before } = await read()
    for (;;) {
      const now = await read()
      if (now.measured - before >= seconds) return now
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }, seconds)
}
