import { createValue, useValue } from '#lib/ui/components/value.ts'
import { type StepEvent, transport } from './transport.ts'

export interface MidiState {
  /** `absent` where the browser has no Web MIDI, `refused` where the reader or the page's policy allows none. */
  readonly access: 'absent' | 'closed' | 'opening' | 'open' | 'refused'
  readonly outputs: readonly { readonly id: string; readonly name: string }[]
  /** Id of the output that gets the clock. */
  readonly clockTo: string | undefined
}

const CLOCKS_PER_BEAT = 24
const [CLOCK, START, STOP] = [0xf8, 0xfa, 0xfc]
const CONTROL_CHANGE = 0xb0

type ControlListener = (controller: number, value: number) => void

const state = createValue<MidiState>({ access: 'closed', outputs: [], clockTo: undefined })
const controlListeners = new Set<ControlListener>()
let access: MIDIAccess | undefined
let running = false

/** Opens the MIDI devices of the machine; the browser asks the reader first. */
export async function openMidi(): Promise<void> {
  const { access: before } = state.getState()
  if (before === 'opening' || before === 'open') return
  if (!('requestMIDIAccess' in navigator)) return set({ access: 'absent' })
  set({ access: 'opening' })
  try {
    access = await navigator.requestMIDIAccess()
  } catch {
    return set({ access: 'refused' })
  }
  access.onstatechange = refresh
  set({ access: 'open' })
  refresh()
  transport.onStep(sendClock)
}

/** Sends the clock of the transport to an output; undefined for none. */
export function sendClockTo(id: string | undefined): void {
  if (running) send(STOP)
  running = false
  set({ clockTo: id })
}

/**
 * Calls a listener with every control change (0..127) of every input, for instance to move a knob.
 *
 * @returns Unsubscribes it.
 */
export function onMidiControl(listener: ControlListener): () => void {
  controlListeners.add(listener)
  return () => {
    controlListeners.delete(listener)
  }
}

export function useMidi(): MidiState {
  return useValue(state)
}

function set(next: Partial<MidiState>): void {
  state.setState({ ...state.getState(), ...next })
}

/** Devices come and go. */
function refresh(): void {
  if (access === undefined) return
  for (const input of access.inputs.values()) input.onmidimessage = receive
  const outputs = [...access.outputs.values()]
    .filter((output) => output.state === 'connected')
    .map(({ id, name }) => ({ id, name: name ?? 'MIDI output' }))
  set({ outputs })
}

function receive({ data }: MIDIMessageEvent): void {
  const [status = 0, controller = 0, value = 0] = data ?? []
  if ((status & 0xf0) !== CONTROL_CHANGE) return
  for (const listener of controlListeners) listener(controller, value)
}

function send(byte: number, atMs?: number): void {
  const { clockTo } = state.getState()
  if (clockTo === undefined) return
  access?.outputs.get(clockTo)?.send([byte], atMs)
}

/** The clocks of a step are sent ahead, each with its time. */
function sendClock(event: StepEvent | undefined): void {
  if (event === undefined) {
    if (running) send(STOP)
    running = false
    return
  }
  const clocks = CLOCKS_PER_BEAT / (transport.getState().arrangement?.stepsPerBeat ?? 4)
  if (!running) send(START, event.atMs)
  running = true
  for (let clock = 0; clock < clocks; clock++) send(CLOCK, event.atMs + (clock * event.stepMs) / clocks)
}
