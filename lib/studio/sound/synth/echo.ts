const LONGEST_SECONDS = 1.5
/** Gain of each repetition, which comes from the other side. */
const FEEDBACK = 0.42
/** The repetitions are darker than what they repeat. */
const DAMPING = 0.45
const GAIN = 0.8
/** Share of a new time that is taken each frame: a change glides, and does not click. */
const GLIDE = 0.0004
/** Repetitions after which nothing is heard. */
const HEARD_REPETITIONS = 12

/** An echo that goes from side to side, one input to two channels. */
export class Echo {
  #lines: readonly [Float32Array, Float32Array]
  #at = 0
  #low: [number, number] = [0, 0]
  /** Frames: as it is, and as it shall be. */
  #time = 0
  #wanted = 0
  /** Frames for which it still sounds. */
  #left = 0

  constructor(rate: number) {
    const frames = Math.ceil(LONGEST_SECONDS * rate) + 2
    this.#lines = [new Float32Array(frames), new Float32Array(frames)]
  }

  /** @param frames From a sound to its repetition; halved until the echo is long enough for it. */
  setTime(frames: number): void {
    const most = this.#lines[0].length - 2
    let time = Math.max(1, frames)
    while (time > most) time /= 2
    this.#wanted = time
    // Nothing sounds that could glide.
    if (this.#left <= 0) this.#time = time
  }

  /** Adds the repetitions of `input`. */
  render(input: Float32Array, left: Float32Array, right: Float32Array, frames: number): void {
    if (input.some((sample) => sample !== 0))
      this.#left = HEARD_REPETITIONS * Math.max(this.#time, this.#wanted)
    if (this.#left <= 0 || this.#wanted === 0) return
    this.#left -= frames
    const [near, far] = this.#lines
    const { length } = near
    let [lowNear, lowFar] = this.#low
    for (let frame = 0; frame < frames; frame++) {
      this.#time += (this.#wanted - this.#time) * GLIDE
      const place = (this.#at - this.#time + length) % length
      const index = Math.floor(place)
      const next = index + 1 === length ? 0 : index + 1
      const share = place - index
      const heardNear = near[index]! + (near[next]! - near[index]!) * share
      const heardFar = far[index]! + (far[next]! - far[index]!) * share
      lowNear = heardNear + DAMPING * (lowNear - heardNear)
      lowFar = heardFar + DAMPING * (lowFar - heardFar)
      near[this.#at] = input[frame]! + lowFar * FEEDBACK
      far[this.#at] = lowNear * FEEDBACK
      left[frame]! += heardNear * GAIN
      right[frame]! += heardFar * GAIN
      this.#at = this.#at + 1 === length ? 0 : this.#at + 1
    }
    this.#low = [lowNear, lowFar]
    if (this.#left > 0) return
    near.fill(0)
    far.fill(0)
    this.#low = [0, 0]
  }
}
