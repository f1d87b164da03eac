'use client'

import { Maximize2, Minimize2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'

/** Fills the screen with an element; some phones cannot, and then there is no button. */
export function FillScreen({ stage }: { stage: { readonly current: HTMLElement | null } }) {
  const [able, setAble] = useState(false)
  const [full, setFull] = useState(false)
  useEffect(() => {
    setAble(document.fullscreenEnabled)
    const changed = () => setFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', changed)
    return () => document.removeEventListener('fullscreenchange', changed)
  }, [])
  if (!able) return null
  const toggle = () => {
    const transition = full ? document.exitFullscreen() : stage.current?.requestFullscreen()
    transition?.catch(() => {
      // The browser did not want to, and shows why.
    })
  }
  return (
    <IconButton label={full ? 'Leave full screen' : 'Full screen'} onClick={toggle}>
      {full ? <Minimize2 /> : <Maximize2 />}
    </IconButton>
  )
}
