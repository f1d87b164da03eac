import { createValue, type Readable } from '#lib/browser/value.ts'
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

/** Which devices there are, and which one follows. */
export const midi: Readable<MidiState> = state

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
  // A machine that follows the clock would go on without it.
  addEventListener('pagehide', stopClock)
}

/** Sends the clock of the transport to an output; undefined for none. */
export function sendClockTo(id: string | undefined): void {
  stopClock()
  set({ clockTo: id })
  refresh()
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

function set(next: Partial<MidiState>): void {
  state.setState({ ...state.getState(), ...next })
}

/** Devices come and go: one that follows the clock is told to start again when it is back. */
function refresh(): void {
  if (access === undefined) return
  const { clockTo } = state.getState()
  for (const input of access.inputs.values()) input.onmidimessage = receive
  const outputs = [...access.outputs.values()]
    .filter(({ id, state: is }) => is === 'connected' || id === clockTo)
    .map(({ id, name, state: is }) => ({
      id,
      name: `${name ?? 'MIDI output'}${is === 'connected' ? '' : ', unplugged'}`,
    }))
  if (clockTo !== undefined && access.outputs.get(clockTo)?.state !== 'connected') running = false
  set({ outputs })
}

function receive({ data }: MIDIMessageEvent): void {
  const [status = 0, controller = 0, value = 0] = data ?? []
  if ((status & 0xf0) !== CONTROL_CHANGE) return
  for (const listener of controlListeners) listener(controller, value)
}

/** @returns false where the device that follows the clock does not take it. */
function send(byte: number, atMs?: number): boolean {
  const { clockTo } = state.getState()
  const output = clockTo === undefined ? undefined : access?.outputs.get(clockTo)
  if (output?.state !== 'connected') return false
  try {
    output.send([byte], atMs)
    return true
  } catch {
    // Unplugged a moment ago.
    return false
  }
}

function stopClock(): void {
  if (running) send(STOP)
  running = false
}

/** The clocks of a step are sent ahead, each with its time. */
function sendClock(event: StepEvent | undefined): void {
  if (event === undefined) {
    stopClock()
    return
  }
  const clocks = CLOCKS_PER_BEAT / (transport.getState().arrangement?.stepsPerBeat ?? 4)
  if (!running && !send(START, event.atMs)) return
  running = true
  for (let clock = 0; clock < clocks; clock++) send(CLOCK, event.atMs + (clock * event.stepMs) / clocks)
}
