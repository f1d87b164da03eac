import type { Random } from '../simulation/random.ts'
import type { Attack, Parameters } from './attack.ts'
import { bodyAttacks } from './attacks/bodies.ts'
import { calldataAttacks } from './attacks/calldata.ts'
import { connectorAttacks } from './attacks/connectors.ts'
import { entityAttacks } from './attacks/entities.ts'
import { metadataAttacks } from './attacks/metadata.ts'
import { pieceAttack } from './attacks/pieces.ts'

export const ATTACKS: ReadonlyMap<string, Attack> = new Map(
  [
    ...entityAttacks,
    ...calldataAttacks,
    ...bodyAttacks,
    ...connectorAttacks,
    ...metadataAttacks,
    pieceAttack,
  ].map((attack) => [attack.name, attack]),
)

/** Acts of honest authors; all but `direct` goes through the chain API. */
export const HONEST = ['transformation', 'condition', 'connector', 'direct'] as const

/** One piece of behaviour in a block. `id` decides its names and what it draws, whatever stands around it. */
export type Action =
  | { readonly do: 'attack'; readonly id: number; readonly attack: string; readonly parameters: Parameters }
  | { readonly do: 'honest'; readonly id: number; readonly what: (typeof HONEST)[number] }

export type Step =
  /** One block; its transactions in the order of its actions. */
  | { readonly do: 'block'; readonly actions: readonly Action[] }
  | { readonly do: 'empty blocks'; readonly blocks: number }
  /** Replaces blocks by others: those after it, and so many empty ones that the chain is longer than before. */
  | { readonly do: 'reorganise'; readonly depth: number }
  /** Ends the worker with a signal; another is started at the end of the round at the latest. */
  | { readonly do: 'stop'; readonly signal: 'SIGTERM' | 'SIGKILL' }
  | { readonly do: 'start' }

/** Steps after which the network comes to rest and everything is checked. */
export type Round = readonly Step[]

/** A history on a separate chain. */
export interface Program {
  /** A second worker stands by. */
  readonly standby: boolean
  readonly rounds: readonly Round[]
}

/** Deepest reorganisation; finality is farther behind. */
const DEEPEST = 6

export function drawProgram(random: Random, rounds: number): Program {
  let ids = 0
  const attack = (of: readonly Attack[]): Action => {
    const { name, parameters } = drawWeighted(random, of)
    return { do: 'attack', id: ids++, attack: name, parameters: drawParameters(random, parameters) }
  }
  const block = (withHeavy: boolean): Step => {
    const light = [...ATTACKS.values()].filter(({ heavy }) => heavy !== true)
    const heavy = [...ATTACKS.values()].filter((each) => each.heavy === true)
    const actions = [
      ...Array.from({ length: random.between(1, 4) }, () => attack(light)),
      ...(withHeavy ? [attack(heavy)] : []),
      ...Array.from(
        { length: random.between(1, 3) },
        (): Action => ({ do: 'honest', id: ids++, what: random.pick(HONEST) }),
      ),
    ]
    return { do: 'block', actions: random.shuffled(actions) }
  }
  const round = (): Round => {
    const steps: Step[] = []
    const blocks = random.between(1, 3)
    const heavyAt = random.chance(0.25) ? random.between(0, blocks - 1) : -1
    // A siege: blocks pile up while no worker reads them.
    if (random.chance(0.15)) steps.push({ do: 'stop', signal: random.pick(['SIGTERM', 'SIGKILL']) })
    for (let i = 0; i < blocks; i++) {
      steps.push(block(i === heavyAt))
      const depth = random.chance(0.7) ? 1 : random.between(2, DEEPEST)
      if (random.chance(0.2)) steps.push({ do: 'reorganise', depth })
      if (random.chance(0.1)) steps.push({ do: 'empty blocks', blocks: random.between(1, 100) })
      if (random.chance(0.05)) steps.push({ do: 'stop', signal: 'SIGKILL' })
      if (random.chance(0.05)) steps.push({ do: 'start' })
    }
    return steps
  }
  return { standby: random.chance(0.3), rounds: Array.from({ length: rounds }, round) }
}

function drawWeighted(random: Random, attacks: readonly Attack[]): Attack {
  const tickets = attacks.flatMap((attack) => Array.from({ length: attack.weight ?? 1 }, () => attack))
  return random.pick(tickets)
}

/** Bounds come up more often than chance would have it: faults live there. */
function drawParameters(random: Random, bounds: Attack['parameters']): Parameters {
  return Object.fromEntries(
    Object.entries(bounds).map(([name, [least, most]]) => {
      const how = random.next()
      const value = how < 0.15 ? most : how < 0.25 ? least : random.between(least, most)
      return [name, value]
    }),
  )
}
