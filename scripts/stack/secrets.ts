import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { readJson, writeJson } from './files.ts'

const secretsSchema = z.object({
  databasePassword: z.string().min(16),
  chainTokenKey: z.string().min(64),
  sessionKey: z.string().min(64),
})

export type Secrets = z.infer<typeof secretsSchema>

/**
 * The secrets of the built-in parts: made once, readable by their owner only. A file of an older version keeps what it
 * has, since its database knows the password.
 */
export function loadSecrets(path: string): Secrets {
  const kept = secretsSchema.partial().safeParse(readJson(path)).data ?? {}
  const secrets = {
    databasePassword: kept.databasePassword ?? randomBytes(24).toString('base64url'),
    chainTokenKey: kept.chainTokenKey ?? randomBytes(32).toString('hex'),
    sessionKey: kept.sessionKey ?? randomBytes(32).toString('hex'),
  }
  if (Object.keys(kept).length < Object.keys(secrets).length) writeJson(path, secrets, 0o600)
  return secrets
}
