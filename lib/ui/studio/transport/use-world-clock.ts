import { useCallback } from 'react'
import { transport } from '#lib/studio/sound/transport.ts'
import { followTransport } from '#lib/studio/sound/world-transport.ts'
import type { WorldClock } from '#lib/ui/world/use-world-frame.ts'

/** The page's transport, for a World. @param of Key of the source that the World draws. */
export function useWorldClock(of: string): WorldClock {
  return useCallback((follow) => followTransport(transport, of, follow), [of])
}
