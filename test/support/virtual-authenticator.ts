import type { CDPSession, Page } from 'playwright'

type Passkeys = Awaited<ReturnType<typeof passkeysOf>>

/** The browser's own authenticator in memory. */
export interface Authenticator {
  passkeys(): Promise<Passkeys>
  /** Whether the finger is that of the owner. */
  verify(isUserVerified: boolean): Promise<void>
  /** Passkeys that were made and used so far. */
  prompts(): number
}

/**
 * Gives a page an authenticator that answers as if a finger were on it.
 *
 * @param known Passkeys that it holds already: each page has an authenticator of its own.
 */
export async function addAuthenticator(page: Page, known: Passkeys = []): Promise<Authenticator> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  for (const credential of known)
    await session.send('WebAuthn.addCredential', { authenticatorId, credential })
  let prompts = 0
  const count = () => void prompts++
  session.on('WebAuthn.credentialAdded', count)
  session.on('WebAuthn.credentialAsserted', count)
  return {
    passkeys: () => passkeysOf(session, authenticatorId),
    verify: async (isUserVerified) =>
      void (await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })),
    prompts: () => prompts,
  }
}

async function passkeysOf(session: CDPSession, authenticatorId: string) {
  return (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
}
