import { useEffect, useRef, useState } from 'react'
import { prefersReducedMotion } from '#lib/browser/reduced-motion.ts'

/** Delay after the pointer or the focus enters. */
const INTENT_MS = 350

/** Whether a tile has had the pointer or the focus for a while; never where reduced motion is preferred. */
export function useIntent() {
  const [isIntended, setIntended] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const leave = () => {
    clearTimeout(timer.current)
    setIntended(false)
  }
  const enter = () => {
    if (prefersReducedMotion()) return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setIntended(true), INTENT_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return { isIntended, enter, leave }
}
