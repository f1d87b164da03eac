import { browserMemory } from '#lib/browser/memory.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { PasskeyOrigin } from '#lib/protocol/passkey.ts'

/** Public facts of a passkey. The key itself never leaves the device or the password manager. */
export interface KnownPasskey extends PasskeyOrigin {
  /** Id of the credential, base64url. */
  readonly id: string
  readonly factory: Address
  readonly account: Address
}

const KEY = 'weft-passkey'

/** The browser made or used no passkey; the message says why and what to do. */
export class PasskeyFailed extends Error {
  override readonly name = 'PasskeyFailed'
  /** As of a request that was declined: nothing has happened. */
  readonly code = 4001
}

/** The passkey used last in this browser. */
export function knownPasskey(factory: Address): KnownPasskey | undefined {
  try {
    const stored = JSON.parse(browserMemory.read(KEY) ?? '') as Record<string, unknown>
    return stored.factory === factory ? (stored as unknown as KnownPasskey) : undefined
  } catch {
    return undefined
  }
}

export function rememberPasskey(passkey: KnownPasskey): void {
  browserMemory.write(KEY, JSON.stringify(passkey))
}
