'use client'

import { useEffect, useEffectEvent, useId } from 'react'
import { prefersReducedMotion } from '#lib/browser/reduced-motion.ts'
import { soundOf } from '#lib/engine/sound/presented-sound.ts'
import type { SlotChoice } from '#lib/protocol/world-slots.ts'
import type { Source } from '#lib/studio/sound/transport.ts'
import { useAnswer } from '#lib/ui/components/use-answer.ts'
import { useValue } from '#lib/ui/components/value.ts'
import { reportPlay } from '#lib/ui/people/requests.ts'
import { pageSound } from '#lib/ui/studio/common/page.ts'
import { useFed } from '#lib/ui/world/feed/use-slots.ts'
import { InertWorld } from '#lib/ui/world/inert-world.tsx'
import type { PluginWorld } from '#lib/views/gallery.ts'
import type { LivingPiece } from '#lib/views/wall.ts'
import { fetchLiving } from './requests.ts'

export interface LivingTileProps {
  readonly name: string
  readonly sounding: boolean
  /** Called with false when the sound ends by itself. */
  readonly onSound: (on: boolean) => void
  /** Called with why it does not sound, in a sentence. */
  readonly onTrouble: (trouble: string) => void
}

/** The life of a tile: the World of the piece over its picture, and its sound once that is asked for. */
export function LivingTile({ name, sounding, onSound, onTrouble }: LivingTileProps) {
  const key = sounding ? `${name} sounding` : name
  const newest = useAnswer(key, (signal) => fetchLiving(name, signal).catch(() => 'failed' as const))
  // A press asks again for what a look did not get.
  const answer = newest?.value === 'failed' && newest.key !== key ? undefined : newest?.value
  const fail = useEffectEvent((trouble: string) => {
    onTrouble(trouble)
    onSound(false)
  })
  const isSilent = sounding && (answer === null || answer === 'failed')
  useEffect(() => {
    if (isSilent)
      fail(
        answer === null
          ? 'It does not play now. Its page may say why.'
          : 'The site does not answer. Press Play to try again.',
      )
  }, [isSilent, answer])
  if (!answer || answer === 'failed') return null
  return (
    <>
      {sounding ? <Sound name={name} piece={answer} onEnd={() => onSound(false)} onTrouble={fail} /> : null}
      <LivingWorld name={name} piece={answer} />
    </>
  )
}

function LivingWorld({ name, piece }: { name: string; piece: LivingPiece }) {
  const { world, present } = piece
  // Without motion a tile is alive only for its sound: the picture stays as it is.
  if (world === null || world.found === 'deleted' || prefersReducedMotion()) return null
  return <WorldInTile name={name} plugin={world.world} piece={piece} slots={present?.world?.slots} />
}

function WorldInTile({
  name,
  plugin,
  piece: { streams, address, formatHash },
  slots,
}: {
  name: string
  plugin: PluginWorld
  piece: LivingPiece
  slots?: readonly SlotChoice[] | undefined
}) {
  const payload = useFed(plugin, { connector: name, streams, address, formatHash }, slots)
  return <InertWorld world={plugin.tile.framed} payload={payload} />
}

function Sound({
  name,
  piece: { present, streams },
  onEnd,
  onTrouble,
}: {
  name: string
  piece: LivingPiece
  onEnd: () => void
  onTrouble: (trouble: string) => void
}) {
  const key = `wall/${useId()}`
  const { transport } = pageSound()
  const { source, playing, problem } = useValue(transport)
  const mine = source?.key === key
  const begin = useEffectEvent(() => {
    const own: Source = {
      key,
      name,
      streams,
      sound: present === undefined ? {} : soundOf(present),
      onSound: () => {},
    }
    transport.stop()
    transport.load(own)
    transport.play()
    reportPlay({ kind: 'connector', name })
  })
  useEffect(() => {
    begin()
    return () => {
      if (transport.getState().source?.key === key) transport.reset()
    }
  }, [key, transport])
  const hasEnded = mine && !playing
  const end = useEffectEvent(() => (problem === '' ? onEnd() : onTrouble(problem)))
  useEffect(() => {
    if (hasEnded) end()
  }, [hasEnded])
  return null
}
