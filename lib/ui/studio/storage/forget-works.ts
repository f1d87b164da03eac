import { openWorks } from './works.ts'

/** Removes every workspace of an account from this browser. Never throws: there may be no storage. */
export async function forgetWorks(account: string): Promise<void> {
  const owner = account.toLowerCase()
  try {
    const works = await openWorks()
    const transaction = works.transaction(['works', 'synced', 'opened'], 'readwrite')
    const stores = [transaction.objectStore('works'), transaction.objectStore('synced')] as const
    for (const key of await stores[0].index('owner').getAllKeys(owner)) await stores[0].delete(key)
    for (const key of await stores[1].getAllKeys()) if (key[0] === owner) await stores[1].delete(key)
    await transaction.objectStore('opened').delete(owner)
    await transaction.done
    works.close()
  } catch {
    // Nothing is kept where nothing can be kept.
  }
}
