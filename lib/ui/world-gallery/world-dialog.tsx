'use client'

import { useMemo, useRef } from 'react'
import { shortHex } from '#lib/browser/format.ts'
import { worldPageHref } from '#lib/protocol/run-link.ts'
import { Avatar } from '#lib/ui/components/avatar.tsx'
import { ownerHref, worldHref } from '#lib/ui/components/entity-href.ts'
import { Button, ButtonLink } from '#lib/ui/kit/button.tsx'
import { DialogFrame } from '#lib/ui/kit/dialog.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { FeedControls } from '#lib/ui/world/feed/feed-controls.tsx'
import { useFeed } from '#lib/ui/world/feed/use-feed.ts'
import { NetworkBadge } from '#lib/ui/world/permissions.tsx'
import { WorldFrame } from '#lib/ui/world/world-frame.tsx'
import type { OpenedWorld, Tile } from '#lib/views/gallery.ts'
import { tileLinkId } from './world-tile.tsx'

/** The state of the World to open; null when it does not exist. */
export type Opening = OpenedWorld | null | 'loading' | 'failed'

export interface WorldDialogProps {
  /** Undefined while none is open. */
  readonly id: string | undefined
  readonly tile: Tile | undefined
  readonly opening: Opening
  readonly onClose: () => void
}

/** The dialog of an opened World. Closing returns the focus to its tile. */
export function WorldDialog({ id, tile, opening, onClose }: WorldDialogProps) {
  const last = useRef(id)
  if (id !== undefined) last.current = id
  const shownTile = typeof opening === 'object' && opening !== null ? opening.tile : tile
  return (
    <DialogFrame
      open={id !== undefined}
      onClose={onClose}
      finalFocus={() => document.getElementById(tileLinkId(last.current ?? '')) ?? true}
      title={shownTile?.framed.name ?? (opening === null ? 'No such World' : 'A World')}
      titleLook="text-2xl tracking-tight"
      below={shownTile ? <Author tile={shownTile} /> : null}
      className="inset-0 mx-auto flex max-w-[88rem] flex-col bg-ground p-4 sm:inset-x-6 sm:inset-y-6 sm:rounded-lg sm:border sm:border-edge sm:p-6"
    >
      <div className="mt-4 min-h-0 flex-1">
        <Content key={id} opening={opening} slug={shownTile?.slug} onClose={onClose} />
      </div>
    </DialogFrame>
  )
}

function Content({
  opening,
  slug,
  onClose,
}: {
  opening: Opening
  slug: string | undefined
  onClose: () => void
}) {
  if (opening === 'loading') return <p role="status">Opening…</p>
  if (opening === 'failed') {
    return (
      <div role="status" className="space-y-4">
        <p>It cannot be opened right now: this site does not answer.</p>
        {slug === undefined ? null : <ButtonLink href={worldHref(slug)}>Try its own page</ButtonLink>}
      </div>
    )
  }
  if (opening === null) {
    return (
      <div role="status" className="space-y-4">
        <p>No World has this address. Its owner may have deleted it.</p>
        <Button onClick={onClose}>See the others</Button>
      </div>
    )
  }
  return <OpenedBoard opened={opening} />
}

function Author({ tile: { owner, ownerName } }: { tile: Tile }) {
  return (
    <p className="mt-1 flex items-center gap-2 text-sm">
      <Avatar address={owner} className="size-5" />
      <span className="min-w-0 truncate">
        by{' '}
        <a className={textLink} href={ownerHref(owner)}>
          {ownerName ?? <span className="mono text-xs">0x{shortHex(owner)}</span>}
        </a>
      </span>
    </p>
  )
}

const GRID = 'grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_23rem] lg:items-start'
const SHAPE = 'aspect-square lg:aspect-auto lg:h-[max(20rem,calc(100dvh-13.5rem))]'

/** A running World with the controls of its feed. */
function OpenedBoard({ opened }: { opened: OpenedWorld }) {
  const { tile, fed } = opened
  if (fed !== undefined) return <FedBoard opened={opened} fed={fed} />
  return (
    <div className={GRID}>
      <WorldFrame world={tile.framed} payload={undefined} shape={SHAPE} />
      <Beside opened={opened} href={worldPageHref(tile.slug)} />
    </div>
  )
}

function FedBoard({ opened, fed }: { opened: OpenedWorld; fed: NonNullable<OpenedWorld['fed']> }) {
  const { tile, needs, candidates } = opened
  const limits = tile.framed.valueLimits
  const about = useMemo(() => ({ needs, limits }), [needs, limits])
  const feed = useFeed(fed, about)
  return (
    <div className={GRID}>
      <WorldFrame world={tile.framed} payload={feed.payload} shape={SHAPE} />
      <div className="min-w-0 space-y-8">
        <section aria-label="What feeds it">
          <FeedControls
            feed={feed}
            choices={candidates}
            limits={limits}
            hrefOf={(connector) =>
              worldPageHref(tile.slug, { connector, count: feed.request.count, dynamicRi: [] })
            }
          />
        </section>
        <Beside opened={opened} href={worldPageHref(tile.slug, feed.request, undefined, feed.slots)} />
      </div>
    </div>
  )
}

/** The summary, and the link to the World's page with the same feed. */
function Beside({ opened: { tile }, href }: { opened: OpenedWorld; href: string }) {
  return (
    <div className="min-w-0 space-y-4 border-line border-t pt-4">
      <p className="text-ink-soft text-sm [overflow-wrap:anywhere]">{tile.summary}</p>
      <div className="flex flex-wrap items-center gap-3">
        <ButtonLink href={href}>Its own page</ButtonLink>
        <NetworkBadge />
      </div>
    </div>
  )
}
