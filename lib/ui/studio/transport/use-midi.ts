import { type MidiState, midi } from '#lib/studio/sound/midi-devices.ts'
import { useValue } from '#lib/ui/components/value.ts'

export function useMidi(): MidiState {
  return useValue(midi)
}
