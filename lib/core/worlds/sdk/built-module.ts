import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface BuiltModule {
  readonly text: string
  readonly etag: string
}

/** Names of the modules, and their sources beside this file. */
export const SDK_MODULES = { 'world-runtime.js': 'runtime.ts', 'world-host.js': 'host.ts' } as const

/** Where `npm run generate` writes them, from the project's root. */
export const BUILT_FOLDER = 'lib/core/worlds/sdk/built'

const modules = new Map<string, Promise<BuiltModule>>()

/** A module of the World SDK as browsers load it, written by `npm run generate`; undefined for other names. */
export function builtModule(name: string): Promise<BuiltModule | undefined> {
  if (!Object.hasOwn(SDK_MODULES, name)) return Promise.resolve(undefined)
  const known = modules.get(name)
  if (known !== undefined) return known
  const read = readFile(join(process.cwd(), BUILT_FOLDER, name), 'utf8').then((text) => ({
    text,
    etag: `"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"`,
  }))
  modules.set(name, read)
  read.catch(() => modules.delete(name))
  return read
}
