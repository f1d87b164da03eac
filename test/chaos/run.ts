import { setTimeout as sleep } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { devAccount } from '../../scripts/stack/contracts.ts'
import { Random } from '../simulation/random.ts'
import type { Actor } from './actors/actor.ts'
import { chainAccount } from './actors/chain-account.ts'
import { draftsActor } from './actors/drafts.ts'
import { followsActor } from './actors/follows.ts'
import { type Publisher, publisher } from './actors/publications.ts'
import { startReader } from './actors/readers.ts'
import { sessionsActor, signInTo } from './actors/sessions.ts'
import { simulationsActor } from './actors/simulations.ts'
import { worldsActor } from './actors/worlds.ts'
import { type Client, createClient } from './client.ts'
import { type Fault, faultsOf } from './faults.ts'
import { checkInvariants } from './invariants.ts'
import { type ChaosNetwork, SLOTS_IN_AN_EPOCH, startNetwork } from './network.ts'
import type { Report } from './report.ts'

const READERS = 4
/** Between two pieces of work of one actor, in milliseconds at most. */
const PAUSE_MS = 60
/** How long the load runs before a fault, with it, and after it, in milliseconds at most. */
const BEFORE_MS = 400
const DURING_MS = 1_500
const AFTER_MS = 500
const SECOND_FAULT = 0.35
/** Rounds until everything there ever was is looked at again. */
const ROUNDS_UNTIL_ALL = 10

export interface RunOptions {
  readonly seed: number
  readonly rounds: number
  /** For logs and data. */
  readonly folder: string
  readonly report: Report
  readonly say: (line: string) => void
}

/** Brings a network up and lets bad luck at it, round after round. */
export async function runRounds({ seed, rounds, folder, report, say }: RunOptions): Promise<void> {
  const random = new Random(seed)
  const network = await startNetwork(folder, report)
  const client = createClient(network.sites, random.fork(), report)
  try {
    await network.healthy()
    const { actors, publishers } = await hire(client, random, report)
    // What all others need is final before anything happens.
    await network.rpc('anvil_mine', [`0x${(4 * SLOTS_IN_AN_EPOCH).toString(16)}`])
    await network.healthy()
    const readers = Array.from({ length: READERS }, () => startReader(client, random.fork(), report))
    // Each sort comes before one comes again.
    const faults = random.shuffled(faultsOf(network))
    if (network.disk === undefined) say('No file system can be mounted here: the disk is not filled.')
    for (let round = 1; round <= rounds; round++) {
      report.round = round
      // Of a round's own, so that it is the same however many there were before.
      const luck = new Random(seed * 100_003 + round)
      const began = performance.now()
      const first = faults[(round - 1) % faults.length] as Fault
      const second = luck.chance(SECOND_FAULT) ? luck.pick(faults) : first
      const happened = [...new Set([first, second])]
      await playRound(network, actors, happened, luck)
      await network.healthy()
      network.whole = true
      const thorough = round % ROUNDS_UNTIL_ALL === 0 || round === rounds
      for (const actor of actors) await actor.settle(thorough)
      await network.healthy()
      await checkInvariants(
        network,
        publishers.flatMap(({ all }) => all),
        readers,
        report,
      )
      say(
        `Round ${round}: ${happened.map(({ name }) => name).join(' + ')} (${((performance.now() - began) / 1000).toFixed(1)} s)`,
      )
    }
    for (const reader of readers) {
      await reader.stop()
      report.count('deltas read', reader.taken.length)
    }
  } finally {
    await network.stop()
  }
}

/** Everybody works while faults come and go. */
async function playRound(
  network: ChaosNetwork,
  actors: readonly Actor[],
  faults: readonly Fault[],
  luck: Random,
): Promise<void> {
  let over = false
  const working = actors.map(async (actor) => {
    const pauses = luck.fork()
    while (!over) {
      await actor.act()
      await sleep(pauses.between(0, PAUSE_MS))
    }
  })
  await sleep(luck.between(0, BEFORE_MS))
  network.whole = false
  const heals: (() => void | Promise<void>)[] = []
  for (const fault of faults) {
    heals.push(await fault.begin(network, luck))
    await sleep(luck.between(0, DURING_MS / faults.length))
  }
  for (const heal of heals) await heal()
  await network.rpc('anvil_mine', [`0x${luck.between(0, 4).toString(16)}`])
  await sleep(luck.between(0, AFTER_MS))
  over = true
  await Promise.all(working)
}

async function hire(
  client: Client,
  random: Random,
  report: Report,
): Promise<{ actors: readonly Actor[]; publishers: readonly Publisher[] }> {
  const publishers = [1, 2].map((i) =>
    publisher(`pub${i}`, chainAccount(client, devAccount(i)), random.fork(), report),
  )
  const [first] = publishers as [Publisher]
  const transformations = [{ name: 'base_add', args: [7] }]
  await first.publish({
    kind: 'transformation',
    name: 'base_add',
    body: { name: 'base_add', sol_src: 'return x + args[0];' },
    mined: false,
  })
  await first.publish({
    kind: 'connector',
    name: 'base',
    body: { name: 'base', dimensions: [{ transformations }] },
    mined: false,
  })
  const fresh = () => privateKeyToAccount(generatePrivateKey())
  const uploaders = await Promise.all(
    [1, 2].map(async (i) => {
      const token = await signInTo(client, fresh())
      if (token === undefined) throw new Error('Nobody could sign in at the start')
      return worldsActor(`world${i}`, client, token, random.fork(), report)
    }),
  )
  const drafters = [1, 2].map((i) =>
    draftsActor(`draft${i}`, client, chainAccount(client, fresh()), random.fork(), report),
  )
  const actors = [
    ...publishers,
    ...drafters,
    ...uploaders,
    simulationsActor(client, random.fork(), report),
    sessionsActor(client, random.fork(), report),
    await followsActor(client, random.fork(), report),
  ]
  return { actors, publishers }
}
