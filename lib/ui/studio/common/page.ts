import { openPageEngine, type PageEngine } from '#lib/studio/runs/page-engine.ts'
import { MidiDevices, type Sound } from '#lib/studio/sound/midi-devices.ts'
import { createTransport } from '#lib/studio/sound/transport.ts'
import { siteSession } from '#lib/ui/wallet/session/browser-store.ts'

/* Devices that a page has once, whatever sessions begin and end in it: the worker of its engine and its audio device. */

let engine: PageEngine | undefined
let sound: Sound | undefined

/** Returns the engine of the page. */
export function pageEngine(): PageEngine {
  engine ??= open()
  return engine
}

/** Returns the sound of the page: what plays is one thing at a time. */
export function pageSound(): Sound {
  if (sound === undefined) {
    const transport = createTransport()
    sound = { transport, midi: new MidiDevices(transport) }
  }
  return sound
}

function open(): PageEngine {
  const opened = openPageEngine()
  let reader = currentReader()
  siteSession.subscribe(() => {
    const now = currentReader()
    // What is read before the session is known was read by the account that it turns out to be.
    if (now === NOT_KNOWN || now === reader) return
    if (reader !== NOT_KNOWN) opened.forget()
    reader = now
  })
  return opened
}

const NOT_KNOWN = 'not known'

/** Returns the account that reads; undefined for a visitor, NOT_KNOWN until the session is. */
function currentReader(): string | undefined {
  const state = siteSession.getState()
  if (state.status === 'unknown') return NOT_KNOWN
  return state.status === 'signed_in' ? state.session.address : undefined
}
