'use client'

import { useRouter } from 'next/navigation'
import { useMemo } from 'react'
import { counted, formatInteger } from '#lib/browser/format.ts'
import type { Provenance } from '#lib/core/entities/execution/run-on-chain.ts'
import type { ParticleStream } from '#lib/core/worlds/sdk/protocol.ts'
import { type RunLink, runHref, worldPageHref } from '#lib/protocol/run-link.ts'
import { countOutside, countRange } from '#lib/protocol/world-manifest.ts'
import { boundSet, type SlotChoice, withChoice } from '#lib/protocol/world-slots.ts'
import { Part } from '#lib/ui/components/part.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { useFit } from '#lib/ui/world/feed/fetch-starts.ts'
import { FitBadge } from '#lib/ui/world/feed/fit-badge.tsx'
import { SlotFields } from '#lib/ui/world/feed/slot-fields.tsx'
import { useSlots } from '#lib/ui/world/feed/use-slots.ts'
import { runPayload } from '#lib/ui/world/run-payload.ts'
import { WorldFrame } from '#lib/ui/world/world-frame.tsx'
import type { DrawingWorld } from '#lib/views/world.ts'

const NO_CHOICE: readonly SlotChoice[] = []
const SHAPE = 'aspect-square sm:aspect-[4/3]'

/** The World of a run's link, drawing that run. */
export function RunWorld({
  link,
  world: { slug, framed, needs },
  streams,
  provenance,
}: {
  link: RunLink
  world: DrawingWorld
  /** All streams; undefined while loading, or without any. */
  streams: readonly ParticleStream[] | undefined
  /** Provenance of a run on chain. */
  provenance: Provenance | undefined
}) {
  const router = useRouter()
  const compatibility = useFit(needs, link.connector)
  const fit = compatibility?.fit
  const { connector, count, dynamicRi, slots = NO_CHOICE } = link
  const run = useMemo(() => {
    const { formatHash, address } = compatibility?.offered ?? {}
    return streams && runPayload({ connector, count, dynamicRi, streams, formatHash, address, provenance })
  }, [connector, count, dynamicRi, streams, compatibility, provenance])
  const set = useMemo(
    () => compatibility && boundSet(needs, compatibility.primary, slots),
    [compatibility, needs, slots],
  )
  const { payload, runs } = useSlots(run, set)
  const limits = framed.valueLimits
  const outside = useMemo(() => countOutside(limits, streams ?? []), [limits, streams])
  const { min, max } = countRange(limits)
  return (
    <Part
      id="world"
      title={
        <a
          className="underline-offset-4 hover:underline"
          href={worldPageHref(slug, link.block ? undefined : link, undefined, slots)}
        >
          {framed.name}
        </a>
      }
      aside={
        <>
          {fit ? <FitBadge fit={fit.fit} /> : null}
          <a
            className={`${textLink} ml-auto text-sm`}
            href={runHref({ ...link, world: undefined, slots: undefined })}
          >
            Without this World
          </a>
        </>
      }
    >
      <WorldFrame world={framed} payload={payload} shape={SHAPE} />
      <div className="space-y-1 pt-1 text-ink-soft text-sm">
        {fit && fit.fit !== 'match' ? <p>{fit.reason}</p> : null}
        {count < min || count > max ? (
          <p>
            It says it draws {formatInteger(min)} to {formatInteger(max)} steps; this run has{' '}
            {formatInteger(count)}.
          </p>
        ) : null}
        {outside > 0 ? (
          <p>{counted(outside, 'value lies', 'values lie')} outside of what this World says it takes.</p>
        ) : null}
      </div>
      {set ? (
        <div className="scripted pt-2">
          <SlotFields
            set={set}
            primary={connector}
            runs={runs}
            offered={[]}
            onFeed={(choice) =>
              router.replace(runHref({ ...link, slots: withChoice(slots, choice) }), { scroll: false })
            }
          />
        </div>
      ) : null}
    </Part>
  )
}
