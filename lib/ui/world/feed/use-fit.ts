'use client'

import { useEffect, useState } from 'react'
import {
  type Compatibility,
  type WorldNeeds,
  worldCompatibility,
} from '../../../domain/world-compatibility.ts'
import { fetchStarts } from './fetch-starts.ts'

/** How well a connector suits a World; undefined while it is not known. */
export function useFit(needs: WorldNeeds, connector: string): Compatibility | undefined {
  const [known, setKnown] = useState<{ readonly connector: string; readonly fit: Compatibility }>()
  useEffect(() => {
    let left = false
    fetchStarts(connector).then(
      (offered) => {
        if (!left) setKnown({ connector, fit: worldCompatibility(needs, offered) })
      },
      () => {
        // Nothing is said about what is not known.
      },
    )
    return () => {
      left = true
    }
  }, [needs, connector])
  return known?.connector === connector ? known.fit : undefined
}
