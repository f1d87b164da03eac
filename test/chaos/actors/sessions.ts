import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Random } from '../../simulation/random.ts'
import { type Client, describe, isUnsure } from '../client.ts'
import type { Report } from '../report.ts'
import type { Actor } from './actor.ts'

const MOST_OPEN = 8
/** Ended sessions that are tried again at the end of each round. */
const LOOKED_AT_AGAIN = 12

/** Signs an account in to the services API. @returns nothing when it did not work out. */
export async function signInTo(client: Client, account: PrivateKeyAccount): Promise<string | undefined> {
  const challenge = await client.ask('POST', '/services/auth/siwe/challenge', {
    body: { address: account.address, chain_id: 31_337 },
  })
  if (challenge.status !== 200) return undefined
  const { message } = challenge.json as { message: string }
  const signature = await account.signMessage({ message })
  const verified = await client.ask('POST', '/services/auth/siwe/verify', { body: { message, signature } })
  return verified.status === 200 ? (verified.json as string) : undefined
}

/** Signs in and out: whoever is signed in stays so, and whoever signed out stays out, in every process. */
export function sessionsActor(client: Client, random: Random, report: Report): Actor {
  const open: string[] = []
  const ended: string[] = []

  const expectOpen = async (token: string): Promise<void> => {
    const answer = await client.ask('GET', '/services/auth/me', { token })
    if (answer.status !== 200 && !isUnsure(answer)) report.violation(`a session is lost: ${describe(answer)}`)
  }
  const expectEnded = async (token: string): Promise<void> => {
    const answer = await client.ask('GET', '/services/auth/me', { token })
    if (answer.status !== 401 && !isUnsure(answer)) {
      report.violation(`a session that was ended is alive: ${describe(answer)}`)
    }
  }

  return {
    name: 'sessions',
    async act() {
      const known = open.length > 0 ? random.pick(open) : undefined
      if (known === undefined || (open.length < MOST_OPEN && random.chance(0.4))) {
        const token = await signInTo(client, privateKeyToAccount(generatePrivateKey()))
        if (token === undefined) return
        report.count('sign-ins')
        open.push(token)
        return expectOpen(token)
      }
      if (random.chance(0.5)) return expectOpen(known)
      // Whatever is answered: from here on it is not known to be open.
      open.splice(open.indexOf(known), 1)
      const answer = await client.ask('POST', '/services/auth/logout', { token: known })
      if (answer.status !== 204) return
      report.count('sign-outs')
      ended.push(known)
      await expectEnded(known)
    },
    async settle() {
      for (const token of open) await expectOpen(token)
      const before = ended.slice(0, -LOOKED_AT_AGAIN)
      const again = before.length > 0 ? [random.pick(before)] : []
      for (const token of [...ended.slice(-LOOKED_AT_AGAIN), ...again]) await expectEnded(token)
    },
  }
}
