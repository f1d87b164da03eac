'use client'

import { useEffect, useState } from 'react'
import type { ManifestAnswer } from '../../api/studio/worlds-schemas.ts'
import { type Problem, readProblem } from './problems.ts'
import { checkManifest } from './requests.ts'

const REST_MS = 300

export interface ManifestCheck {
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
  /** Whether all of it is about the text as it is now. */
  readonly current: boolean
  /** Whether the site could be asked. */
  readonly asked: boolean
}

/** What the site says of a manifest while it is typed. */
export function useManifestCheck(text: string): ManifestCheck {
  const [known, setKnown] = useState<{ readonly text: string; readonly answer: ManifestAnswer | undefined }>()
  useEffect(() => {
    let left = false
    const timer = setTimeout(() => {
      checkManifest(text).then(
        (answer) => left || setKnown({ text, answer }),
        () => left || setKnown({ text, answer: undefined }),
      )
    }, REST_MS)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [text])
  const { problems = [], warnings = [], refusal } = known?.answer ?? {}
  const slug = refusal === undefined ? [] : [{ file: undefined, place: 'slug', text: refusal }]
  return {
    problems: [...problems.map(readProblem), ...slug],
    warnings,
    current: known?.text === text,
    asked: known === undefined || known.answer !== undefined,
  }
}
