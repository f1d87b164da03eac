const COMBS = [0.0297, 0.0371, 0.0411, 0.0437]
const ALL_PASSES = [0.005, 0.0017]
/** Between left and right, so that the room is wide. */
const SPREAD_SECONDS = 0.0007
const FEEDBACK = 0.76
const DAMPING = 0.35
const GAIN = 0.3
/** Keeps numbers away from the slow, denormal ones. */
const TINY = 1e-20

interface Delay {
  readonly line: Float32Array
  at: number
  low: number
}

/** A small room: Schroeder's reverberator, one input to two channels. */
export class Room {
  #combs: readonly (readonly Delay[])[]
  #passes: readonly (readonly Delay[])[]

  constructor(rate: number) {
    const lines = (seconds: readonly number[], channel: number) =>
      seconds.map((length): Delay => {
        const frames = Math.round((length + channel * SPREAD_SECONDS) * rate)
        return { line: new Float32Array(Math.max(1, frames)), at: 0, low: 0 }
      })
    this.#combs = [0, 1].map((channel) => lines(COMBS, channel))
    this.#passes = [0, 1].map((channel) => lines(ALL_PASSES, channel))
  }

  /** Adds what the room answers to `input`. */
  render(input: Float32Array, left: Float32Array, right: Float32Array, frames: number): void {
    this.#channel(0, input, left, frames)
    this.#channel(1, input, right, frames)
  }

  #channel(channel: number, input: Float32Array, output: Float32Array, frames: number): void {
    const combs = this.#combs[channel]!
    const passes = this.#passes[channel]!
    for (let at = 0; at < frames; at++) {
      const sample = input[at]! + TINY
      let sum = 0
      for (const comb of combs) {
        const heard = comb.line[comb.at]!
        sum += heard
        comb.low = heard + DAMPING * (comb.low - heard)
        comb.line[comb.at] = sample + comb.low * FEEDBACK
        comb.at = comb.at + 1 === comb.line.length ? 0 : comb.at + 1
      }
      for (const pass of passes) {
        const heard = pass.line[pass.at]!
        pass.line[pass.at] = sum + heard * 0.5
        sum = heard - sum * 0.5
        pass.at = pass.at + 1 === pass.line.length ? 0 : pass.at + 1
      }
      output[at]! += sum * GAIN
    }
  }
}
