import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { readJson, writeJson } from './files.ts'

const secretsSchema = z.object({
  databasePassword: z.string().min(16),
  chainTokenKey: z.string().min(64),
})

export type Secrets = z.infer<typeof secretsSchema>

/** The secrets of the built-in parts: made once, readable by their owner only. */
export function loadSecrets(path: string): Secrets {
  const kept = secretsSchema.safeParse(readJson(path))
  if (kept.success) return kept.data
  const secrets = {
    databasePassword: randomBytes(24).toString('base64url'),
    chainTokenKey: randomBytes(32).toString('hex'),
  }
  writeJson(path, secrets, 0o600)
  return secrets
}
