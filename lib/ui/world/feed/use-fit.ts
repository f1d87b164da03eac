'use client'

import { useEffect, useState } from 'react'
import {
  type Compatibility,
  type WorldNeeds,
  worldCompatibility,
} from '../../../domain/world-compatibility.ts'
import { type Primary, primaryOf } from '../../../domain/world-slots.ts'
import { fetchStarts } from './fetch-starts.ts'

/** A connector as a World sees it. */
interface Known {
  readonly fit: Compatibility
  readonly primary: Primary
}

/** How well a connector suits a World, and which of its slots it feeds; undefined while it is not known. */
export function useFit(needs: WorldNeeds, connector: string): Known | undefined {
  const [known, setKnown] = useState<Known>()
  useEffect(() => {
    let left = false
    fetchStarts(connector).then(
      (offered) => {
        if (!left) setKnown({ fit: worldCompatibility(needs, offered), primary: primaryOf(offered, needs) })
      },
      () => {
        // Nothing is said about what is not known.
      },
    )
    return () => {
      left = true
    }
  }, [needs, connector])
  return known?.primary.name === connector ? known : undefined
}
