'use client'

import { createContext, type ReactNode, useContext } from 'react'
import type { Player } from '#lib/studio/live/player.ts'
import type { Run } from '#lib/studio/runs/runs.ts'
import type { Session } from '#lib/studio/session.ts'
import type { SessionState } from '#lib/studio/session-state.ts'
import type { Sound } from '#lib/studio/sound/midi-devices.ts'
import { useSelected } from '#lib/ui/components/value.ts'

const SessionContext = createContext<Session | undefined>(undefined)

const PlayerContext = createContext<Player | undefined>(undefined)

export const PlayerProvider = PlayerContext.Provider

export function SessionProvider({ value, children }: { value: Session; children: ReactNode }) {
  return (
    <SessionContext value={value}>
      <PlayerProvider value={value}>{children}</PlayerProvider>
    </SessionContext>
  )
}

/** The sound of the session or player around this component. */
export function useSound(): Sound {
  const player = useContext(PlayerContext)
  if (player === undefined) throw new Error('useSound needs a session or a player around it')
  return player.sound
}

/** The session around this component: the same object until another is opened, whatever changes in it. */
export function useCurrentSession(): Session {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('useCurrentSession needs a SessionProvider around it')
  return session
}

/**
 * A value of the session around this component; another value renders it again, and nothing else does.
 *
 * @param select A pure function.
 * @param isEqual Whether a new value is equal to the one before, which then stays.
 */
export function useSession<T>(
  select: (state: SessionState) => T,
  isEqual?: (before: T, next: T) => boolean,
): T {
  return useSelected(useCurrentSession(), select, isEqual)
}

/** The document of the session, with every change. */
export function useDocument(): SessionState['document'] {
  return useSession(({ document }) => document)
}

/** The run of a connector of the session. @param of `tabKey` of its tab. */
export function useRun(of: string): Run {
  return useCurrentSession().runs.of(of)
}
