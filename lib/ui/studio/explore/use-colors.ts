'use client'

import { type RefObject, useLayoutEffect, useState } from 'react'
import { watchTheme } from '../../components/theme-toggle.tsx'
import { threadColor } from '../../components/thread-colors.ts'

/** Colours of the first streams as a canvas takes them, in the theme that is shown. */
export function useColors(host: RefObject<HTMLElement | null>): readonly string[] {
  const [colors, setColors] = useState<readonly string[]>([])
  useLayoutEffect(() => {
    const read = () => {
      const element = host.current
      if (element === null) return
      // Canvas knows no tokens: an element resolves them.
      const probe = element.ownerDocument.createElement('span')
      probe.hidden = true
      element.append(probe)
      const found = Array.from({ length: 6 }, (_, index) => {
        probe.style.color = threadColor(index)
        return getComputedStyle(probe).color
      })
      probe.remove()
      setColors(found)
    }
    read()
    return watchTheme(() => requestAnimationFrame(read))
  }, [host])
  return colors
}
