import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Where everything that the starter makes is kept, and nothing else: deleting it starts afresh. */
export interface DataFolder {
  readonly root: string
  readonly postgres: string
  readonly chain: string
  readonly logs: string
  readonly secrets: string
  readonly contracts: string
  readonly endpoints: string
  /** Which processes belong to the current run. */
  readonly run: string
}

export function openDataFolder(dataDir: string): DataFolder {
  const root = resolve(dataDir)
  const folder = {
    root,
    postgres: join(root, 'postgres'),
    chain: join(root, 'chain'),
    logs: join(root, 'logs'),
    secrets: join(root, 'secrets.json'),
    contracts: join(root, 'contracts.json'),
    endpoints: join(root, 'endpoints.json'),
    run: join(root, 'run.json'),
  }
  mkdirSync(folder.chain, { recursive: true })
  mkdirSync(folder.logs, { recursive: true })
  return folder
}
