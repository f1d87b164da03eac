import { useSyncExternalStore } from 'react'
import { browserMemory } from '../../wallet/session/browser-store.ts'
import { useSession } from '../../wallet/session/use-session.ts'
import { createProgressStore, type Desk, type ProgressStore } from './progress.ts'

/** One a page and owner, so that every part of the page sees the same. */
const stores = new Map<string, ProgressStore>()

/** The lessons of an owner: an address, or empty for whoever has not signed in. */
export function deskOf(owner: string): ProgressStore {
  const known = stores.get(owner)
  if (known !== undefined) return known
  const store = createProgressStore(browserMemory, owner)
  stores.set(owner, store)
  return store
}

/** The lessons of whoever uses this page. */
export function useDesk(): { readonly owner: string; readonly store: ProgressStore; readonly desk: Desk } {
  const session = useSession()
  const owner = session.status === 'signed_in' ? session.session.address.toLowerCase() : ''
  const store = deskOf(owner)
  return { owner, store, desk: useSyncExternalStore(store.subscribe, store.getState, store.getState) }
}
