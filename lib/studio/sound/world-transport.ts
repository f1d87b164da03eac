import type { WorldTransport, WorldVoice } from '#lib/core/worlds/sdk/protocol.ts'
import type { Arrangement } from '#lib/engine/sound/arrangement.ts'
import { rowsOf } from '#lib/engine/sound/notes.ts'
import { memoizeByObject } from '../document/memoize.ts'
import { patternOf } from './pattern-of.ts'
import type { Transport } from './transport.ts'

/** A World that draws more has enough to do without the notes. */
const MAX_NOTES = 65_536

/**
 * Follows a transport for a World, at once and until the result is called.
 *
 * @param of Key of the source that the World draws; while another one is loaded, the World is at rest.
 */
export function followTransport(
  { playhead, ...transport }: Pick<Transport, 'getState' | 'subscribe' | 'playhead'>,
  of: string,
  follow: (message: WorldTransport) => void,
): () => void {
  let sent: Arrangement | undefined
  let last = ''
  const send = () => {
    const { source, arrangement } = transport.getState()
    const { playing, key, step } = playhead.getState()
    const isOurs = source?.key === of && arrangement !== undefined
    const isNew = isOurs && arrangement !== sent
    const at = isOurs && key === of ? step : 0
    const secondsOfStep = isOurs ? 60 / arrangement.bpm / arrangement.stepsPerBeat : 0.25
    const message = {
      playing: isOurs && playing && key === of,
      step: at,
      steps_a_minute: 60 / secondsOfStep,
      seconds: at * secondsOfStep,
      loop: isOurs && arrangement.loop,
    }
    const text = JSON.stringify(message)
    if (text === last && !isNew) return
    last = text
    if (isNew) sent = arrangement
    follow({ ...message, ...(isNew && { voices: voicesOf(arrangement) }) })
  }
  send()
  const ends = [transport.subscribe(send), playhead.subscribe(send)]
  return () => {
    for (const end of ends) end()
  }
}

/** Voices of an arrangement that sound; a path with chords has several. */
const voicesOf = memoizeByObject((arrangement: Arrangement): readonly WorldVoice[] => {
  const paths = new Map(arrangement.paths.map(({ key, path }) => [key, path]))
  let room = MAX_NOTES
  return patternOf(arrangement, 0).tracks.flatMap(({ key, instrument, ...part }) =>
    rowsOf(part).flatMap(({ notes, levels, lengths }) => {
      room -= notes.length
      if (room < 0) return []
      return {
        path: paths.get(key) ?? key,
        instrument,
        pitches: [...notes],
        velocities: [...levels],
        lengths: lengths ? [...lengths] : Array.from(notes, () => 1),
      }
    }),
  )
})
