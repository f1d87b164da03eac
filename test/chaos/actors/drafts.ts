import type { Random } from '../../simulation/random.ts'
import { type ChaosAnswer, type Client, describe, isUnsure } from '../client.ts'
import type { Report } from '../report.ts'
import type { Actor } from './actor.ts'
import type { ChainAccount } from './chain-account.ts'
import { Uncertain } from './uncertain.ts'

/** A draft, with the one number that its revisions differ in. */
interface Draft {
  readonly name: string
  readonly value: Uncertain<number | 'absent'>
}

/** Connectors are cheap to make; a body costs a compilation. */
const BODIES_SHARE = 0.1
const LAST_BODIES = 5
const REVISIONS_SHARE = 0.3

/** Drafts and revises, and finds what was accepted: no accepted draft is ever lost, and none is half a revision. */
export function draftsActor(
  name: string,
  client: Client,
  account: ChainAccount,
  random: Random,
  report: Report,
): Actor {
  const drafts: Draft[] = []
  const bodies: string[] = []
  let next = 0

  const read = async (draft: Draft): Promise<number | 'absent' | undefined> => {
    const answer = await client.ask('GET', `/chain/connector/${draft.name}`)
    if (answer.status === 404) return 'absent'
    return answer.status === 200 ? numberOf(answer) : undefined
  }
  const check = (draft: Draft, found: number | 'absent'): void => {
    if (draft.value.allows(found)) return
    report.violation(`draft ${draft.name} is ${found}, not ${draft.value.all().join(' or ')}`)
  }
  const write = async (draft: Draft, value: number): Promise<void> => {
    const transformations = [{ name: 'base_add', args: [value] }]
    const body = { name: draft.name, dimensions: [{ transformations }] }
    const answer = await account.ask('POST', '/chain/connector', { body })
    if (answer.status === 201) {
      draft.value.acknowledge(value)
      report.count('drafts accepted')
    } else if (isUnsure(answer)) draft.value.leaveOpen(value)
    else if (answer.status !== 429) report.violation(`a draft was refused: ${describe(answer)}`)
  }
  const writeBody = async (value: number): Promise<void> => {
    const body = { name: `${name}_body_${value}`, sol_src: `return x + args[0] + ${value % 8};` }
    const answer = await account.ask('POST', '/chain/transformation', { body })
    if (answer.status === 201) {
      report.count('bodies accepted')
      bodies.push(body.name)
    } else if (!isUnsure(answer) && answer.status !== 429) {
      report.violation(`a body was refused: ${describe(answer)}`)
    }
  }

  return {
    name,
    async act() {
      next += 1
      if (random.chance(BODIES_SHARE)) return writeBody(next)
      const old = drafts.length > 0 && random.chance(REVISIONS_SHARE) ? random.pick(drafts) : undefined
      if (old !== undefined) {
        const found = random.chance(0.5) ? await read(old) : undefined
        if (found !== undefined) check(old, found)
        return write(old, next)
      }
      const draft: Draft = { name: `${name}_${next}`, value: new Uncertain<number | 'absent'>('absent') }
      drafts.push(draft)
      await write(draft, next)
      // What was written is read in the next request, whichever process answers it.
      const found = await read(draft)
      if (found !== undefined) check(draft, found)
    },
    async settle(all) {
      for (const draft of drafts.filter(({ value }) => all || value.touched)) {
        const found = await read(draft)
        if (found === undefined) report.violation(`draft ${draft.name} cannot be read`)
        else {
          check(draft, found)
          draft.value.settle(found)
        }
      }
      for (const body of all ? bodies : bodies.slice(-LAST_BODIES)) {
        const answer = await client.ask('GET', `/chain/transformation/${body}`)
        if (answer.status !== 200) report.violation(`body ${body}: ${describe(answer)}`)
      }
    },
  }
}

interface ConnectorWire {
  readonly dimensions: readonly {
    readonly transformations: readonly { readonly args: readonly number[] }[]
  }[]
}

function numberOf({ json }: ChaosAnswer): number {
  const value = (json as ConnectorWire).dimensions[0]?.transformations[0]?.args[0]
  return value ?? Number.NaN
}
