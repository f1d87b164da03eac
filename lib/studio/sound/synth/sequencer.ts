import { type Notes, REST, rowsOf } from '#lib/engine/sound/notes.ts'
import { Echo } from './echo.ts'
import type { FromSynth, Pattern, ToSynth, Track } from './pattern.ts'
import { Room } from './room.ts'
import { Voice } from './voice.ts'

/** Frames of one call of the browser. */
const BLOCK = 128
const MAX_VOICES = 96
/** A step that began longer ago is not changed any more: that would be heard as a note of its own. */
const LATE_SECONDS = 0.06
/** From a note to its echo: a dotted eighth where a step is a sixteenth. */
const ECHO_STEPS = 3
/** From here on the oldest voices make place, so that every note finds one. */
const CROWDED = 80

/**
 * Plays a pattern. It counts frames of the audio clock, so nothing on the page delays it: a new pattern, its tempo or
 * another position takes effect at the next step, on the frame.
 */
export class Sequencer {
  /** Whether steps go on; notes may ring on after that. */
  playing = false
  #rate: number
  #report: (message: FromSynth) => void
  #pattern: Pattern | undefined
  #next: Pattern | undefined
  #seek: number | undefined
  /** Frame of the audio clock, at the next sample to render. */
  #frame = 0
  /** Steps since play was pressed; its remainder is the position. */
  #counter = 0
  /** Steps are `anchor + n * stepFrames`, without an error that adds up. */
  #anchor = 0
  #sinceAnchor = 0
  #stepFrames = 0
  /** Frame at which the present step began. */
  #begunAt = 0
  #voices: readonly Voice[]
  #triggers = 0
  #room: Room
  #echo: Echo
  #toRoom = new Float32Array(BLOCK)
  #toEcho = new Float32Array(BLOCK)

  /** @param rate Frames a second. */
  constructor(rate: number, report: (message: FromSynth) => void) {
    this.#rate = rate
    this.#report = report
    this.#voices = Array.from({ length: MAX_VOICES }, () => new Voice(rate))
    this.#room = new Room(rate)
    this.#echo = new Echo(rate)
  }

  /** Sets the frame of the audio clock that is rendered next: edits and steps are compared by that clock. */
  goTo(frame: number): void {
    this.#frame = frame
  }

  handle(message: ToSynth): void {
    switch (message.kind) {
      case 'pattern':
        this.#next = message.pattern
        if (message.editedAt !== undefined) this.#catchUp(message.pattern, message.editedAt)
        break
      case 'play':
        this.#counter = message.from
        this.#seek = undefined
        this.#stepFrames = 0
        this.playing = true
        break
      case 'seek':
        this.#seek = message.step
        break
      case 'stop':
        this.playing = false
        for (const voice of this.#voices) if (voice.active) voice.cut()
    }
  }

  /** Renders up to 128 frames into both channels, which are zero before. */
  render(left: Float32Array, right: Float32Array): void {
    const frames = left.length
    this.#toRoom.fill(0)
    this.#toEcho.fill(0)
    let at = 0
    while (at < frames) {
      if (this.playing && this.#nextStepAt() <= this.#frame + at) this.#step(at)
      const next = this.playing ? Math.ceil(this.#nextStepAt() - this.#frame) : frames
      const until = Math.max(at, Math.min(frames, next))
      for (const voice of this.#voices) {
        if (voice.active) voice.render(left, right, this.#toRoom, this.#toEcho, at, until)
      }
      at = until
    }
    this.#room.render(this.#toRoom, left, right, frames)
    this.#echo.render(this.#toEcho, left, right, frames)
    limit(left)
    limit(right)
    this.#frame += frames
  }

  #nextStepAt(): number {
    if (this.#stepFrames === 0) return this.#frame
    return this.#anchor + this.#sinceAnchor * this.#stepFrames + this.#lateFrames()
  }

  /** Frames by which the next step is late. */
  #lateFrames(): number {
    return this.#counter % 2 === 0 ? 0 : (this.#pattern?.swing ?? 0) * this.#stepFrames
  }

  #step(at: number): void {
    const now = this.#stepFrames === 0 ? this.#frame + at : this.#nextStepAt()
    const late = this.#lateFrames()
    if (this.#next !== undefined) {
      // The count of a loop says nothing about the position in what ends.
      if (!this.#next.loop && this.#pattern?.loop) this.#counter %= this.#pattern.steps
      this.#pattern = this.#next
      this.#next = undefined
    }
    const pattern = this.#pattern
    if (pattern === undefined || pattern.steps === 0) {
      this.#end()
      return
    }
    if (this.#seek !== undefined) {
      this.#counter = this.#seek
      this.#seek = undefined
    }
    if (!pattern.loop && this.#counter >= pattern.steps) {
      this.#end()
      return
    }
    const stepFrames = pattern.stepSeconds * this.#rate
    if (stepFrames !== this.#stepFrames) {
      this.#stepFrames = stepFrames
      this.#echo.setTime(ECHO_STEPS * stepFrames)
      this.#anchor = now - late
      this.#sinceAnchor = 0
    }
    this.#sinceAnchor += 1
    const step = this.#counter % pattern.steps
    this.#counter += 1
    this.#makeRoom(pattern.tracks.length)
    this.#begunAt = now
    for (const track of pattern.tracks) {
      // Notes without a length last until the next of their track.
      if (track.lengths === undefined && (track.notes[step] ?? REST) !== REST) this.#letGo(track.key)
      this.#trigger(track, step, pattern.gain)
    }
    this.#report({
      kind: 'step',
      step,
      atSeconds: now / this.#rate,
      pattern: pattern.id,
      stepSeconds: pattern.stepSeconds,
    })
  }

  /** Begins all notes of a track at a step. */
  #trigger(track: Track, step: number, gain: number): void {
    for (const row of rowsOf(track)) {
      if ((row.notes[step] ?? REST) !== REST) this.#begin(track, row, step, gain)
    }
  }

  #begin(
    { key, instrument, pan, room, echo }: Track,
    { notes, levels, lengths, pans }: Notes,
    step: number,
    gain: number,
  ): void {
    const voice = this.#freeVoice()
    voice.track = key
    voice.order = this.#triggers++
    voice.start(
      instrument,
      notes[step]!,
      { gain, velocity: levels[step]! / 127 },
      pans?.[step] ?? pan,
      this.#stepFrames * (lengths?.[step] ?? 1),
      { room, echo },
    )
  }

  /** Takes a pattern in the step that has just begun, if its edit is older than that: only what differs sounds anew. */
  #catchUp(pattern: Pattern, editedAt: number): void {
    const before = this.#pattern
    if (!this.playing || before === undefined || editedAt * this.#rate > this.#begunAt) return
    const latest = LATE_SECONDS * this.#rate
    // In a short step two notes would be one noise, and the next step is soon enough.
    const mostFrames = this.#stepFrames > latest ? latest : this.#stepFrames / 2
    if (this.#frame - this.#begunAt > mostFrames) return
    if (before.steps !== pattern.steps || before.stepSeconds !== pattern.stepSeconds) return
    const step = (this.#counter - 1) % pattern.steps
    for (const track of pattern.tracks) {
      const old = before.tracks.find(({ key }) => key === track.key)
      if (old?.instrument === track.instrument && isSameChord(old, track, step)) continue
      this.#cut(track.key)
      this.#trigger(track, step, pattern.gain)
    }
    for (const { key } of before.tracks) {
      if (!pattern.tracks.some((track) => track.key === key)) this.#cut(key)
    }
    this.#pattern = pattern
    this.#next = undefined
  }

  #cut(track: string): void {
    for (const voice of this.#voices) if (voice.active && voice.track === track) voice.cut()
  }

  #end(): void {
    this.playing = false
    this.#report({ kind: 'end' })
  }

  #letGo(track: string): void {
    for (const voice of this.#voices) if (voice.held && voice.track === track) voice.letGo()
  }

  /** Else the quietest: cutting it is heard least. */
  #freeVoice(): Voice {
    let quietest = this.#voices[0]!
    for (const voice of this.#voices) {
      if (!voice.active) return voice
      if (voice.loudness < quietest.loudness) quietest = voice
    }
    return quietest
  }

  #makeRoom(needed: number): void {
    const sounding = this.#voices.filter(({ active }) => active)
    const excess = sounding.length + needed - CROWDED
    if (excess <= 0) return
    for (const voice of sounding.sort((a, b) => a.order - b.order).slice(0, excess)) voice.cut()
  }
}

function isSameChord(a: Track, b: Track, step: number): boolean {
  const [ours, others] = [rowsOf(a), rowsOf(b)]
  return Array.from({ length: Math.max(ours.length, others.length) }).every(
    (_, row) => (ours[row]?.notes[step] ?? REST) === (others[row]?.notes[step] ?? REST),
  )
}

/** Peaks up to here are as they are. */
const LIMITER_KNEE = 0.6
/** No peak comes above it: -1.1 dB of full scale. */
const LIMITER_CEILING = 0.88

function limit(samples: Float32Array): void {
  const room = LIMITER_CEILING - LIMITER_KNEE
  for (let at = 0; at < samples.length; at++) {
    const sample = samples[at]!
    const over = Math.abs(sample) - LIMITER_KNEE
    if (over > 0) samples[at] = Math.sign(sample) * (LIMITER_KNEE + room * Math.tanh(over / room))
  }
}
