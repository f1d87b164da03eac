/* A run as the voices of a drum machine. */
import { drumsOf } from './drums.js'
import { strengthsOf } from './shared/rhythm.js'
import { isCount, labelOf, stepsOf } from './shared/streams.js'

export const MOST_VOICES = 8
/** Onsets are counted round by round of this many steps. */
const BAR = 16
/** Drums that pages have. */
const PLAYED = new Set(['kick', 'snare', 'clap', 'hat'])

/**
 * @param voices What the page sounds of the run, where it has a transport: then those steps are struck, and no others.
 * @returns {{ label: string, drum: string, strengths: number[], isSilent: boolean }[]}
 */
export function kitOf(streams, voices) {
  const used = streams.filter(({ data }) => data.length > 0).slice(0, MOST_VOICES)
  const count = stepsOf(used)
  const sounding = used.map(({ path }) => voices?.find((voice) => voice.path === path))
  const labels = used.map(({ path }) => labelOf(path))
  const drums = drumsOf(
    labels.map((label, place) =>
      PLAYED.has(sounding[place]?.instrument) ? sounding[place].instrument : label,
    ),
  )
  return used.map(({ data }, place) => {
    const voice = sounding[place]
    const bar = isCount(data) ? strengthsOf(data, BAR) : undefined
    const own = bar ? Array.from({ length: count }, (_, step) => bar[step % BAR]) : strengthsOf(data, count)
    return {
      label: labels[place],
      drum: drums[place],
      strengths: voices
        ? Array.from({ length: count }, (_, step) =>
            (voice?.pitches[step] ?? -1) < 0 ? 0 : voice.velocities[step] / 127,
          )
        : own,
      isSilent: voices !== undefined && voice === undefined,
    }
  })
}
