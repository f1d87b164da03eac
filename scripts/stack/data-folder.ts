import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { readJson, writeJson } from './files.ts'

/** Folder for everything the starter creates, and nothing else: deleting it resets the installation. */
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

const secretsSchema = z.object({
  databasePassword: z.string().min(16),
  chainTokenKey: z.string().min(64),
  sessionKey: z.string().min(64),
})

export type Secrets = z.infer<typeof secretsSchema>

/**
 * The secrets of the built-in parts: created once, readable by their owner only. Values in a file of an older version
 * are retained, since its database has the password.
 */
export function loadSecrets(path: string): Secrets {
  const stored = secretsSchema.partial().safeParse(readJson(path)).data ?? {}
  const secrets = {
    databasePassword: stored.databasePassword ?? randomBytes(24).toString('base64url'),
    chainTokenKey: stored.chainTokenKey ?? randomBytes(32).toString('hex'),
    sessionKey: stored.sessionKey ?? randomBytes(32).toString('hex'),
  }
  if (Object.keys(stored).length < Object.keys(secrets).length) writeJson(path, secrets, 0o600)
  return secrets
}
