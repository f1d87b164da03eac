'use client'

import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import type { OpenedWorld, Tile } from '../../site-data/gallery.ts'
import { worldHref } from '../entity-href.ts'
import type { Opening } from './opening.ts'
import { fetchOpened } from './requests.ts'
import type { WorldDialogProps } from './world-dialog.tsx'

/**
 * The World in front of the gallery, if one is open. Its code is loaded with the first.
 *
 * @param delivered What the page came with.
 * @param tile What is known of it before the rest is here.
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
  const [known, setKnown] = useState<{ readonly id: string; readonly opening: Opening }>()
  const needed = id !== undefined
  const slug = useEffectEvent(() => tile?.slug)
  useEffect(() => {
    if (!needed) return
    import('./world-dialog.tsx').then(
      ({ WorldDialog }) => setDialog(() => WorldDialog),
      () => {
        const known = slug()
        if (known !== undefined) location.assign(worldHref(known))
      },
    )
  }, [needed])
  useEffect(() => {
    if (id === undefined) return
    if (delivered?.tile.id === id) {
      setKnown({ id, opening: delivered })
      return
    }
    let left = false
    setKnown({ id, opening: 'loading' })
    fetchOpened(id).then(
      (opening) => left || setKnown({ id, opening }),
      () => left || setKnown({ id, opening: 'failed' }),
    )
    return () => {
      left = true
    }
  }, [id, delivered])
  if (Dialog === undefined) return null
  return (
    <Dialog
      id={id}
      tile={tile}
      opening={known?.id === id && known !== undefined ? known.opening : 'loading'}
      onClose={onClose}
    />
  )
}
