import { frequencyOf } from './notes.ts'

/** Notes that sound. */
export interface Playing {
  stop(): void
}

export interface PlayOptions {
  readonly notes: readonly (number | undefined)[]
  readonly stepsPerSecond: number
  /** First step that is played. */
  readonly from: number
  /** Called when a step begins to sound. */
  readonly onStep: (step: number) => void
  /** Called once, when the last note is over; not after `stop`. */
  readonly onEnd: () => void
}

/** Notes are handed to the audio clock this long before they sound; timers are not exact enough. */
const AHEAD_SECONDS = 0.2
const TICK_MS = 50
const LOUDNESS = 0.16
const ATTACK_SECONDS = 0.008

/**
 * Plays one voice. Call it while answering a press: browsers allow no sound before.
 *
 * @throws {Error} When the browser has no sound.
 */
export function play({ notes, stepsPerSecond, from, onStep, onEnd }: PlayOptions): Playing {
  const audio = new AudioContext()
  const master = audio.createGain()
  master.gain.value = LOUDNESS
  master.connect(audio.destination)
  const stepSeconds = 1 / stepsPerSecond
  const beganAt = audio.currentTime + 0.05
  let next = from
  let told = from - 1
  let stopped = false

  const timeOf = (step: number) => beganAt + (step - from) * stepSeconds

  const sound = (note: number, at: number) => {
    const oscillator = audio.createOscillator()
    const envelope = audio.createGain()
    oscillator.type = 'triangle'
    oscillator.frequency.value = frequencyOf(note)
    envelope.gain.setValueAtTime(0, at)
    envelope.gain.linearRampToValueAtTime(1, at + ATTACK_SECONDS)
    envelope.gain.setTargetAtTime(0, at + stepSeconds * 0.6, stepSeconds * 0.12)
    oscillator.connect(envelope).connect(master)
    oscillator.start(at)
    oscillator.stop(at + stepSeconds * 1.4)
  }

  const tick = () => {
    const now = audio.currentTime
    for (; next < notes.length && timeOf(next) < now + AHEAD_SECONDS; next++) {
      const note = notes[next]
      if (note !== undefined) sound(note, Math.max(now, timeOf(next)))
    }
    const current = Math.min(notes.length - 1, from + Math.floor((now - beganAt) / stepSeconds))
    if (current > told) {
      told = current
      onStep(current)
    }
    if (next >= notes.length && now > timeOf(notes.length)) {
      stop()
      onEnd()
    }
  }

  const timer = setInterval(tick, TICK_MS)
  const stop = () => {
    if (stopped) return
    stopped = true
    clearInterval(timer)
    void audio.close()
  }
  return { stop }
}
