import { AsyncLocalStorage } from 'node:async_hooks'

/** The storage of that name in this process: bundles of the same module share nothing but `globalThis`. */
export function processStorage<T>(name: string): AsyncLocalStorage<T> {
  const storages = globalThis as { [key: symbol]: AsyncLocalStorage<T> | undefined }
  const key = Symbol.for(`weft.${name}`)
  storages[key] ??= new AsyncLocalStorage()
  return storages[key]
}
