'use client'

import { useMemo } from 'react'
import { useAnswer } from '#lib/ui/components/use-answer.ts'
import { InertWorld } from '#lib/ui/world/inert-world.tsx'
import { runPayload } from '#lib/ui/world/run-payload.ts'
import type { OpenedWorld } from '#lib/views/gallery.ts'
import { fetchOpened } from './requests.ts'

/** A running World in place of its tile's picture. */
export function LivePicture({ id }: { id: string }) {
  const opened = useAnswer(id, () => fetchOpened(id))?.value
  return opened ? <LivingWorld opened={opened} /> : null
}

function LivingWorld({ opened: { tile, fed } }: { opened: OpenedWorld }) {
  const payload = useMemo(() => {
    if (fed?.run.state !== 'particles') return undefined
    const { connector, dynamicRi, formatHash, address, run } = fed
    const count = run.streams[0]?.data.length ?? 0
    return runPayload({ connector, count, streams: run.streams, dynamicRi, formatHash, address })
  }, [fed])
  return <InertWorld world={tile.framed} payload={payload} />
}
