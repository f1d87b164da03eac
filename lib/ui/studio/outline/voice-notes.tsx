'use client'

import type { Arrangement } from '#lib/engine/sound/arrangement.ts'
import { isTuned, noteName, REST } from '#lib/engine/sound/notes.ts'
import { cachedPart } from '#lib/studio/sound/pattern-of.ts'
import { useSelected } from '#lib/ui/components/value.ts'
import { useSound } from '../common/session.tsx'
import { isOn } from './rows.ts'

/** Notes that are named, and the steps among which they are. */
const [MOST_NOTES, MOST_STEPS] = [8, 64]

/**
 * Names of the first notes of a voice: one where they are all the same, none where it has several paths or plays no
 * pitches.
 *
 * @param index Index of the voice.
 */
export function firstNotes({ paths }: Pick<Arrangement, 'paths'>, index: number): string {
  const [path, ...others] = paths.filter(({ key }) => isOn(key, index))
  if (path === undefined || others.length > 0 || !isTuned(path.instrument)) return ''
  const notes = cachedPart(path)
    .notes.subarray(0, MOST_STEPS)
    .filter((note) => note !== REST)
  if (new Set(notes).size === 1) return noteName(notes[0]!)
  const names = Array.from(notes.subarray(0, MOST_NOTES), noteName)
  return [...names, ...(notes.length > MOST_NOTES ? ['…'] : [])].join(' ')
}

/** The first notes of a voice of the connector in a tab. Text alone, so that other notes render no element of its row. */
export function VoiceNotes({ tab, index }: { tab: string; index: number }): string {
  return useSelected(useSound().transport, ({ source, arrangement }) =>
    source?.key === tab && arrangement !== undefined ? firstNotes(arrangement, index) : '',
  )
}
