import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Random } from '../../simulation/random.ts'
import { type Client, describe, isUnsure } from '../client.ts'
import type { Report } from '../report.ts'
import type { Actor } from './actor.ts'
import { signInTo } from './sessions.ts'
import { Uncertain } from './uncertain.ts'

const PEOPLE = 5

/** Follows and unfollows: what was acknowledged last is what the lists say. */
export async function followsActor(client: Client, random: Random, report: Report): Promise<Actor> {
  const accounts = Array.from({ length: PEOPLE }, () => privateKeyToAccount(generatePrivateKey()))
  const [token, ...others] = await Promise.all(accounts.map((account) => signInTo(client, account)))
  if (token === undefined || others.includes(undefined)) throw new Error('Nobody could sign in at the start')
  const followed = new Map(accounts.slice(1).map(({ address }) => [address, new Uncertain(false)]))

  const check = async (atRest: boolean): Promise<number> => {
    const answer = await client.ask('GET', '/services/social/following', { token })
    if (answer.status !== 200) {
      if (!isUnsure(answer) && answer.status !== 429) report.violation(`following: ${describe(answer)}`)
      return answer.status
    }
    const list = answer.json as string[]
    for (const [address, state] of followed) {
      const found = list.includes(address)
      if (!state.allows(found))
        report.violation(`${address} is followed: ${found}, against what was acknowledged`)
      if (atRest) state.settle(found)
    }
    return 200
  }

  return {
    name: 'follows',
    async act() {
      if (random.chance(0.3)) return void (await check(false))
      const [address, state] = random.pick([...followed])
      const wanted = random.chance(0.5)
      const path = `/services/social/${wanted ? 'follow' : 'unfollow'}`
      const answer = await client.ask('POST', path, { token, body: { followed_id: address } })
      if (answer.status === 204) {
        state.acknowledge(wanted)
        report.count('follows and unfollows')
      } else if (isUnsure(answer)) state.leaveOpen(wanted)
      else if (answer.status !== 429) report.violation(`${path}: ${describe(answer)}`)
    },
    async settle() {
      const status = await check(true)
      if (status !== 200) report.violation(`following on a healthy network: ${status}`)
    },
  }
}
