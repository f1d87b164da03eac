import { type Playhead, type TransportState, transport } from '#lib/studio/sound/transport.ts'
import { useValue } from '#lib/ui/components/value.ts'

export function useTransport(): TransportState {
  return useValue(transport)
}

/** Where the sound is; changes at every step. */
export function usePlayhead(): Playhead {
  return useValue(transport.playhead)
}
