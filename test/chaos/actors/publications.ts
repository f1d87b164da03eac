import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, keccak256 } from 'viem'
import { type PreparedWire, signPrepared } from '../../publication/sign-prepared.ts'
import type { Random } from '../../simulation/random.ts'
import { awakeMs } from '../awake.ts'
import { type ChaosAnswer, describe, isUnsure } from '../client.ts'
import type { Report } from '../report.ts'
import type { Actor } from './actor.ts'
import type { ChainAccount } from './chain-account.ts'

/** On a healthy network a publication is at its end long before. */
const CONVERGED_WITHIN_MS = 20_000
const AGAIN_MS = 60
/** More than one account publishes in as many blocks as a reorganisation reaches back. */
const MOST_TAKEN_BACK = 40

export interface Publication {
  readonly kind: 'connector' | 'transformation'
  readonly name: string
  readonly body: object
  /** The chain has it, as far as this account was told. */
  mined: boolean
}

export interface Publisher extends Actor {
  /** Everything that was ever begun. */
  readonly all: readonly Publication[]
  /** Publishes one thing to its end. */
  publish(publication: Publication): Promise<void>
}

/**
 * Publishes with an account of its own, as a client would: prepares, signs, sends and confirms, and begins again where
 * an answer was lost or a reorganisation took the block. Each publication comes to an end.
 */
export function publisher(name: string, account: ChainAccount, random: Random, report: Report): Publisher {
  const all: Publication[] = []

  /** One attempt, as far as it gets. */
  const attempt = async (publication: Publication): Promise<void> => {
    const { kind, body } = publication
    const drafted = await account.ask('POST', `/chain/${kind}`, { body })
    // 409: it is on the chain already, perhaps on a fork that is still read.
    if (drafted.status !== 201 && drafted.status !== 409) return expectUnsure('draft', drafted)
    const path = `/chain/publish/${kind}`
    const prepared = await account.ask('POST', `${path}/prepare`, {
      body: { name: publication.name, relay: true },
    })
    if (prepared.status !== 200) return expectUnsure('prepare', prepared, [404, 409])
    const plan = prepared.json as PreparedWire | { readonly status: 'published' }
    if (plan.status === 'published') {
      publication.mined = true
      return
    }
    const rawTx: Hex = await signPrepared(plan, account.account)
    const about = { name: publication.name, content_hash: plan.content_hash }
    const sent = await account.ask('POST', `${path}/send`, { body: { ...about, raw_tx: rawTx } })
    // 400 and 409: a reorganisation gave nonces back, or another attempt was mined. Prepare again, as the API says.
    if (sent.status !== 202) return expectUnsure('send', sent, [400, 409])
    for (let tries = 0; tries < 20; tries++) {
      const confirmed = await account.ask('POST', path, { body: { ...about, tx_hash: keccak256(rawTx) } })
      if (confirmed.status === 201) {
        publication.mined = true
        report.count('publications confirmed')
        return
      }
      if (confirmed.status !== 202) return expectUnsure('confirm', confirmed)
      await sleep(AGAIN_MS)
    }
  }
  const expectUnsure = (step: string, answer: ChaosAnswer, fine: readonly number[] = []): void => {
    if (isUnsure(answer) || answer.status === 429) return
    report.count(`publications refused at ${step} with ${answer.status}`)
    if (!fine.includes(answer.status)) report.violation(`${step} was refused: ${describe(answer)}`)
  }
  const finish = async (publication: Publication): Promise<void> => {
    const giveUp = awakeMs() + CONVERGED_WITHIN_MS
    for (;;) {
      publication.mined = false
      await attempt(publication)
      if (publication.mined) return
      if (awakeMs() > giveUp) {
        report.violation(`the publication of ${publication.name} does not come to an end`)
        return
      }
      await sleep(AGAIN_MS)
    }
  }

  return {
    name,
    all,
    async publish(publication) {
      all.push(publication)
      await finish(publication)
    },
    async act() {
      const open = all.filter(({ mined }) => !mined)
      if (open.length > 0 && random.chance(0.7)) return attempt(random.pick(open))
      const own = `${name}_${all.length}`
      const transformations = [{ name: 'base_add', args: [all.length] }]
      const body = { name: own, dimensions: [{ transformations }] }
      const publication: Publication = { kind: 'connector', name: own, body, mined: false }
      all.push(publication)
      await attempt(publication)
    },
    async settle(thorough) {
      // A reorganisation may have taken back what was confirmed: what is young is asked about again.
      const young = all.slice(-MOST_TAKEN_BACK)
      for (const publication of thorough ? all : all.filter((each) => !each.mined || young.includes(each))) {
        if (!publication.mined || (await isTakenBack(publication))) await finish(publication)
      }
    },
  }

  async function isTakenBack({ kind, name }: Publication): Promise<boolean> {
    const answer = await account.ask('GET', `/chain/${kind}/${name}`)
    return answer.status !== 200 || (answer.json as { address: string }).address === '0x0'
  }
}
