'use client'

import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useRef } from 'react'
import type { Tile } from '../../site-data/gallery.ts'
import { Button, ButtonLink } from '../button.tsx'
import { ownerHref, worldHref } from '../entity-href.ts'
import { shortHex } from '../format.ts'
import { textLink } from '../link-style.ts'
import { Avatar } from '../people/avatar.tsx'
import { OpenedBoard } from './opened-board.tsx'
import type { Opening } from './opening.ts'
import { tileLinkId } from './world-tile.tsx'

export interface WorldDialogProps {
  /** Undefined while none is open. */
  readonly id: string | undefined
  readonly tile: Tile | undefined
  readonly opening: Opening
  readonly onClose: () => void
}

/** A World in front of the gallery. Closed, the focus is back on its picture. */
export function WorldDialog({ id, tile, opening, onClose }: WorldDialogProps) {
  const last = useRef(id)
  if (id !== undefined) last.current = id
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = typeof opening === 'object' && opening !== null ? opening.tile : tile
  return (
    <Dialog.Root
      open={id !== undefined}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-veil" />
        <Dialog.Popup
          initialFocus={heading}
          finalFocus={() => document.getElementById(tileLinkId(last.current ?? '')) ?? true}
          className="fixed inset-0 z-20 mx-auto flex max-w-[88rem] flex-col overflow-y-auto bg-ground p-4 outline-none sm:inset-x-6 sm:inset-y-6 sm:rounded-lg sm:border sm:border-edge sm:p-6"
        >
          <div className="flex items-start gap-4">
            <div className="min-w-0 flex-1">
              <Dialog.Title
                ref={heading}
                tabIndex={-1}
                className="font-semibold text-2xl tracking-tight outline-none [overflow-wrap:anywhere]"
              >
                {shown?.framed.name ?? (opening === null ? 'No such World' : 'A World')}
              </Dialog.Title>
              {shown ? <Author tile={shown} /> : null}
            </div>
            <Dialog.Close
              aria-label="Close"
              className="-mt-1 -mr-1 inline-grid size-11 shrink-0 cursor-pointer place-items-center rounded-md text-ink-soft transition-colors hover:bg-sunk hover:text-ink"
            >
              <X className="size-5" aria-hidden="true" />
            </Dialog.Close>
          </div>
          <div className="mt-4 min-h-0 flex-1">
            <Content key={id} opening={opening} slug={shown?.slug} onClose={onClose} />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
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
        <p>No World has this address. Its owner may have taken it back.</p>
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
