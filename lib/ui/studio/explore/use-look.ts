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

/** Smallest width of a picture, and what is around it. */
const SMALLEST = 48
const GAP = 6
const PADDING = 24
const HEIGHT_OF_WIDTH = 3 / 4

/** Columns with which all pictures fit the host and are largest; where they would be too small, it scrolls. */
export function useColumns(host: RefObject<HTMLElement | null>, count: number): number {
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return
    const resized = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    )
    resized.observe(element)
    return () => resized.disconnect()
  }, [host])
  return columnsFor(count, width - PADDING, height - PADDING)
}

export function columnsFor(count: number, width: number, height: number): number {
  const most = Math.max(1, Math.floor((width + GAP) / (SMALLEST + GAP)))
  for (let columns = 2; columns < most; columns++) {
    const picture = (width + GAP) / columns - GAP
    const rows = Math.ceil(count / columns)
    if (rows * (picture * HEIGHT_OF_WIDTH + GAP) - GAP <= height) return columns
  }
  return most
}
