import { createHmac, randomBytes } from 'node:crypto'

/*
 * Signatures as Standard Webhooks has them (https://www.standardwebhooks.com): `webhook-id`, `webhook-timestamp` and
 * `webhook-signature`, the last a list of `v1,<base64>` of HMAC-SHA256 over `<id>.<timestamp>.<body>`.
 */

const PREFIX = 'whsec_'
const KEY_BYTES = 32

/** Creates a secret: `whsec_` and 32 random bytes in base64. */
export function createSecret(): string {
  return PREFIX + randomBytes(KEY_BYTES).toString('base64')
}

export interface Message {
  readonly id: string
  /** Time of the attempt, in Unix seconds. */
  readonly timestamp: number
  readonly body: string
}

/** Headers of a message, signed with each of the secrets. */
export function signedHeaders(message: Message, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${sign(message, secret)}`).join(' '),
  }
}

function sign({ id, timestamp, body }: Message, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
}
