import { endSession, fetchSession } from './requests.ts'
import { createSessionStore, type Memory, type SessionStore } from './store.ts'

/** Storage may be switched off, or full: then nothing is remembered, and nothing breaks. */
export const browserMemory: Memory = {
  read(key) {
    try {
      return localStorage.getItem(key) ?? undefined
    } catch {
      return undefined
    }
  },
  write(key, value) {
    try {
      if (value === undefined) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    } catch {
      // See above.
    }
  },
}

/** The session of this page; one for all its parts. */
export const siteSession: SessionStore = createSessionStore({
  source: { fetchSession, endSession },
  memory: browserMemory,
  openChannel: () => new BroadcastChannel('weft-session'),
})
