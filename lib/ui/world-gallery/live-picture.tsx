'use client'

import { useEffect, useState } from 'react'
import type { OpenedWorld } from '../../site-data/gallery.ts'
import { LivingWorld } from './living-world.tsx'
import { fetchOpened } from './requests.ts'

/** A World of the gallery at work in place of its picture. */
export function LivePicture({ id }: { id: string }) {
  const [opened, setOpened] = useState<OpenedWorld | null>()
  useEffect(() => {
    let left = false
    fetchOpened(id).then(
      (found) => left || setOpened(found),
      () => {
        // The still picture remains.
      },
    )
    return () => {
      left = true
    }
  }, [id])
  return opened ? <LivingWorld opened={opened} /> : null
}
