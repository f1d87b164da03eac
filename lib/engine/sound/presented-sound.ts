import type { PathWords, Presentation } from '#lib/protocol/presentation.ts'
import { STEPS_PER_BEAT, TEMPO } from '#lib/protocol/sound-limits.ts'
import { roleNamed } from './roles.ts'
import {
  type ConnectorSound,
  HIT_RULES,
  INSTRUMENTS,
  type PathSound,
  PITCH_MAPPINGS,
  SCALES,
} from './settings.ts'

/** The sound of a presentation; settings that this site does not know are guessed. */
export function soundOf({
  tempo,
  loop,
  sound = {},
}: Pick<Presentation, 'tempo' | 'loop' | 'sound'>): ConnectorSound {
  const { root, scale, steps_per_beat = 4, swing, paths } = sound
  const stepsPerBeat = memberOf(STEPS_PER_BEAT, steps_per_beat) ?? 4
  const knownScale = memberOf(SCALES, scale)
  return {
    bpm: Math.min(TEMPO.max, Math.max(TEMPO.min, tempo / stepsPerBeat)),
    loop,
    ...(stepsPerBeat !== 4 && { stepsPerBeat }),
    ...(root !== undefined && { root }),
    ...(swing !== undefined && { swing }),
    ...(knownScale && { scale: knownScale }),
    ...(paths && { paths: paths.map(pathSound) }),
  }
}

function pathSound({
  path,
  role,
  instrument,
  muted,
  mapping,
  scale,
  octave,
  span,
  hits,
  level,
  pan,
  room,
  echo,
}: PathWords): PathSound {
  return {
    path,
    role: role === undefined ? undefined : roleNamed(role),
    instrument: memberOf(INSTRUMENTS, instrument),
    muted,
    mapping: memberOf(PITCH_MAPPINGS, mapping),
    scale: memberOf(SCALES, scale),
    octave,
    span,
    hits: memberOf(HIT_RULES, hits),
    level,
    pan,
    room,
    echo,
  }
}

function memberOf<T>(values: readonly T[], value: unknown): T | undefined {
  return values.find((each) => each === value)
}
