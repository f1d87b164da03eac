import { createValue, type Readable } from '#lib/browser/value.ts'
import type { StepEvent, Transport } from './transport.ts'

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

/** The MIDI devices of the machine, and which one follows the clock of a transport. */
export class MidiDevices implements Readable<MidiState> {
  readonly #state = createValue<MidiState>({ access: 'closed', outputs: [], clockTo: undefined })
  readonly #transport: Transport
  readonly #controlListeners = new Set<ControlListener>()
  #access: MIDIAccess | undefined
  #running = false

  readonly getState = this.#state.getState
  readonly subscribe = this.#state.subscribe

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Opens the devices; the browser asks the reader first. */
  async open(): Promise<void> {
    const { access: before } = this.#state.getState()
    if (before === 'opening' || before === 'open') return
    if (!('requestMIDIAccess' in navigator)) return this.#set({ access: 'absent' })
    this.#set({ access: 'opening' })
    try {
      this.#access = await navigator.requestMIDIAccess()
    } catch {
      return this.#set({ access: 'refused' })
    }
    this.#access.onstatechange = () => this.#refresh()
    this.#set({ access: 'open' })
    this.#refresh()
    this.#transport.onStep((event) => this.#sendClock(event))
    // A machine that follows the clock would go on without it.
    addEventListener('pagehide', () => this.#stopClock())
  }

  /** Sends the clock of the transport to an output; undefined for none. */
  sendClockTo(id: string | undefined): void {
    this.#stopClock()
    this.#set({ clockTo: id })
    this.#refresh()
  }

  /**
   * Calls a listener with every control change (0..127) of every input, for instance to move a knob.
   *
   * @returns Unsubscribes it.
   */
  onControl(listener: ControlListener): () => void {
    this.#controlListeners.add(listener)
    return () => {
      this.#controlListeners.delete(listener)
    }
  }

  #set(next: Partial<MidiState>): void {
    this.#state.setState({ ...this.#state.getState(), ...next })
  }

  /** Devices come and go: one that follows the clock is told to start again when it is back. */
  #refresh(): void {
    const access = this.#access
    if (access === undefined) return
    const { clockTo } = this.#state.getState()
    for (const input of access.inputs.values()) input.onmidimessage = (event) => this.#receive(event)
    const outputs = [...access.outputs.values()]
      .filter(({ id, state: is }) => is === 'connected' || id === clockTo)
      .map(({ id, name, state: is }) => ({
        id,
        name: `${name ?? 'MIDI output'}${is === 'connected' ? '' : ', unplugged'}`,
      }))
    if (clockTo !== undefined && access.outputs.get(clockTo)?.state !== 'connected') this.#running = false
    this.#set({ outputs })
  }

  #receive({ data }: MIDIMessageEvent): void {
    const [status = 0, controller = 0, value = 0] = data ?? []
    if ((status & 0xf0) !== CONTROL_CHANGE) return
    for (const listener of this.#controlListeners) listener(controller, value)
  }

  /** @returns false where the device that follows the clock does not take it. */
  #send(byte: number, atMs?: number): boolean {
    const { clockTo } = this.#state.getState()
    const output = clockTo === undefined ? undefined : this.#access?.outputs.get(clockTo)
    if (output?.state !== 'connected') return false
    try {
      output.send([byte], atMs)
      return true
    } catch {
      // Unplugged a moment ago.
      return false
    }
  }

  #stopClock(): void {
    if (this.#running) this.#send(STOP)
    this.#running = false
  }

  /** The clocks of a step are sent ahead, each with its time. */
  #sendClock(event: StepEvent | undefined): void {
    if (event === undefined) {
      this.#stopClock()
      return
    }
    const clocks = CLOCKS_PER_BEAT / (this.#transport.getState().arrangement?.stepsPerBeat ?? 4)
    if (!this.#running && !this.#send(START, event.atMs)) return
    this.#running = true
    for (let clock = 0; clock < clocks; clock++) {
      this.#send(CLOCK, event.atMs + (clock * event.stepMs) / clocks)
    }
  }
}

/** The sound of a page: one transport on its audio device, and the MIDI devices that follow it. */
export interface Sound {
  readonly transport: Transport
  readonly midi: MidiDevices
}
