'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { PLAIN_WORDS, type SiteWords } from '#lib/views/site-words.ts'

const Words = createContext(PLAIN_WORDS)

/** Hands the operator's words to every page, the error pages among them. */
export function SiteWordsProvider({ words, children }: { words: SiteWords; children: ReactNode }) {
  return <Words value={words}>{children}</Words>
}

export function useSiteWords(): SiteWords {
  return useContext(Words)
}
