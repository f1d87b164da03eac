'use client'

import { useSearchParams } from 'next/navigation'
import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react'
import { worldHref } from '#lib/ui/components/entity-href.ts'
import { useAnswer } from '#lib/ui/components/use-answer.ts'
import { importAgain } from '#lib/ui/kit/missing-chunk.ts'
import type { OpenedWorld, Tile } from '#lib/views/gallery.ts'
import { fetchOpened } from './requests.ts'
import type { Opening, WorldDialogProps } from './world-dialog.tsx'

/**
 * The dialog of the opened World. Its code is loaded on demand.
 *
 * @param delivered The World included in the page.
 * @param tile Shown while loading.
 */
export function OpenedInPlace({
  id,
  delivered,
  tile,
  onClose,
}: {
  id: string | undefined
  delivered: OpenedWorld | null | undefined
  tile: Tile | undefined
  onClose: () => void
}) {
  const [Dialog, setDialog] = useState<ComponentType<WorldDialogProps>>()
  const needed = id !== undefined
  const slug = useEffectEvent(() => tile?.slug)
  useEffect(() => {
    if (!needed) return
    importAgain(() => import('./world-dialog.tsx')).then(
      ({ WorldDialog }) => setDialog(() => WorldDialog),
      () => {
        const currentSlug = slug()
        if (currentSlug !== undefined) location.assign(worldHref(currentSlug))
      },
    )
  }, [needed])
  const isDelivered = delivered?.tile.id === id
  const answer = useAnswer(
    isDelivered ? undefined : id,
    (): Promise<Opening> => fetchOpened(id as string).catch(() => 'failed'),
  )
  if (Dialog === undefined) return null
  const opening = answer !== undefined && answer.key === id ? answer.value : 'loading'
  return (
    <Dialog id={id} tile={tile} opening={isDelivered && delivered ? delivered : opening} onClose={onClose} />
  )
}

const NAME = 'world'

/** The opened World, as the query `?world=`. Going back closes it. */
export function useOpened(): {
  readonly id: string | undefined
  open(id: string): void
  close(): void
} {
  const id = useSearchParams().get(NAME) || undefined
  /** Whether the previous history entry is the gallery. */
  const entered = useRef(false)
  return {
    id,
    open(next) {
      const url = new URL(location.href)
      url.searchParams.set(NAME, next)
      entered.current = true
      history.pushState(null, '', url)
    },
    close() {
      const url = new URL(location.href)
      if (!url.searchParams.has(NAME)) return
      if (entered.current) {
        entered.current = false
        history.back()
        return
      }
      url.searchParams.delete(NAME)
      history.replaceState(null, '', url)
    },
  }
}
