'use client'

import { useEffect } from 'react'
import { guardCompositions } from './guards/composition.ts'
import { guardTranslatedPage } from './guards/translated-page.ts'
import { replayTyped } from './guards/typed-early.ts'

// Before anything of the page listens or renders.
if (typeof window !== 'undefined') {
  guardCompositions()
  guardTranslatedPage()
}

/** Holds for every page what input methods, translators and early typists do to it. */
export function PageGuards() {
  useEffect(replayTyped, [])
  return null
}
