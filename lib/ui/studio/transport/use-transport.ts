import { useCallback } from 'react'
import type { MidiState } from '#lib/studio/sound/midi-devices.ts'
import type { Playhead, TransportState } from '#lib/studio/sound/transport.ts'
import { followTransport } from '#lib/studio/sound/world-transport.ts'
import { useValue } from '#lib/ui/components/value.ts'
import type { WorldClock } from '#lib/ui/world/use-world-frame.ts'
import { useSound } from '../common/session.tsx'

export function useTransport(): TransportState {
  return useValue(useSound().transport)
}

/** Where the sound is; changes at every step. */
export function usePlayhead(): Playhead {
  return useValue(useSound().transport.playhead)
}

export function useMidi(): MidiState {
  return useValue(useSound().midi)
}

/** The transport, for a World. @param of Key of the source that the World draws. */
export function useWorldClock(of: string): WorldClock {
  const { transport } = useSound()
  return useCallback((follow) => followTransport(transport, of, follow), [transport, of])
}
