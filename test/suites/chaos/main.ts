/**
 * Puts load on a network of real processes while they are killed, cut off and starved of disk:
 * `npm run test:chaos -- --rounds 100 --seed 1`. The seeded simulation (`test/suites/simulation`) covers what one process can
 * play: reorgs, failing nodes, lost transactions.
 *
 * Exits with 0 without violations, else with 1; then the folder with the logs is retained. A seed repeats the faults of
 * each round, not the requests in flight.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { keccak256, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { killChildren } from '#scripts/stack/child.ts'
import { devAccount } from '#scripts/stack/contracts.ts'
import { buildSite } from '#scripts/stack/site-build.ts'
import { type PreparedWire, signPrepared } from '#test/core/publication/sign-prepared.ts'
import { makeBundle } from '#test/core/worlds/support/bundle.ts'
import {
  type Call,
  chainTokens,
  createCall,
  isUnsure,
  Ledger,
  NO_REPLY,
  type Reply,
  startReader,
} from '#test/support/load-client.ts'
import { type Part, startProcesses, type Watch } from '#test/support/processes.ts'
import { Random } from '../simulation/random.ts'
import { checkInvariants, type Network, SETTLE_TIMEOUT_MS } from './invariants.ts'

process.on('exit', killChildren)
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    /** Set by this program itself: it runs in a separate mount namespace. */
    apart: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const seed = Number(values.seed)
const random = new Random(seed)
const counts = new Map<string, number>()
const violations = new Set<string>()
let round = 0
const watch: Watch = { faulty: false, violation }

function count(what: string, by = 1): void {
  counts.set(what, (counts.get(what) ?? 0) + by)
}

function violation(what: string): void {
  if (violations.has(`${round} ${what}`)) return
  violations.add(`${round} ${what}`)
  console.log(`VIOLATION in round ${round} of seed ${seed}: ${what}`)
}

/** Starts a fault. @returns what ends it. */
type Fault = (network: Network) => Promise<() => void> | (() => void)

function hold(pick: (network: Network) => Part, signal: NodeJS.Signals): Fault {
  return async (network) => {
    const part = pick(network)
    await part.hold(signal)
    return part.release
  }
}
function site({ siteParts }: Network) {
  return random.pick(siteParts)
}
function worker({ workerParts }: Network) {
  return random.pick(workerParts)
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'kill -9 a site': hold(site, 'SIGKILL'),
  'end a site': hold(site, 'SIGTERM'),
  'kill -9 a worker': hold(worker, 'SIGKILL'),
  'end a worker': hold(worker, 'SIGTERM'),
  'kill -9 the database': hold(({ database }) => database, 'SIGKILL'),
  'kill -9 a backend of the database': async ({ sql }) => {
    const backends = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`
    process.kill(random.pick(backends).pid, 'SIGKILL')
    return () => {}
  },
  'stop a worker': (network) => {
    const pid = worker(network).child?.pid
    if (pid === undefined) return () => {}
    process.kill(pid, 'SIGSTOP')
    return () => process.kill(pid, 'SIGCONT')
  },
  'cut the wire to the database': ({ databaseWire }) => {
    databaseWire.refuse()
    return databaseWire.accept
  },
  'freeze the wire to the database': ({ databaseWire }) => {
    databaseWire.freeze()
    return databaseWire.thaw
  },
  'cut the wire to the chain': ({ chainWire }) => {
    chainWire.refuse()
    return chainWire.accept
  },
  'freeze the wire to the chain': ({ chainWire }) => {
    chainWire.freeze()
    return chainWire.thaw
  },
  'fill the disk': ({ disk, database }) => {
    disk?.fill()
    // PostgreSQL exits when it cannot write its log.
    database.expected = true
    return () => disk?.free()
  },
}

interface Actor {
  act(): Promise<void>
  /** On a healthy network: completes what is open and checks everything that was acknowledged. */
  settle(): Promise<void>
}

function connector(name: string, arg: number) {
  return {
    name,
    dimensions: [{ transformations: [{ name: 'base_add', args: [arg] }] }],
  }
}

/** No accepted draft is lost, and none is half a revision. */
function draftsActor(call: Call, prefix: string): Actor {
  const tokens = chainTokens(call, privateKeyToAccount(generatePrivateKey()))
  const ledger = new Ledger({ count, violation })
  let next = 0
  const check = async (name: string): Promise<void> => {
    const reply = await call('GET', `/chain/connector/${name}`)
    if (reply.status === 404) return ledger.check(name, 'absent')
    if (reply.status !== 200) return
    const { dimensions } = reply.json as ReturnType<typeof connector>
    ledger.check(name, String(dimensions[0]?.transformations[0]?.args[0]))
  }
  return {
    async act() {
      next += 1
      // None is known while nothing was answered.
      const known = ledger.keys()
      const name = known.length > 5 && random.chance(0.3) ? random.pick(known) : `${prefix}_${next}`
      const token = await tokens()
      if (token === undefined) return
      const reply = await call('POST', '/chain/connector', token, connector(name, next))
      ledger.record(name, String(next), reply, 201, 'drafts')
      await check(name)
    },
    async settle() {
      for (const name of ledger.keys()) await check(name)
    },
  }
}

/** Every publication that was begun ends on chain. */
function publicationsActor(call: Call, account: LocalAccount): Actor & { readonly names: readonly string[] } {
  const tokens = chainTokens(call, account)
  const bodies = new Map<string, object>()
  const open = new Set<string>()
  const kindOf = (name: string) => (name === 'base_add' ? 'transformation' : 'connector')

  /** Drafts, prepares, sends and confirms, until a request fails. */
  const attempt = async (name: string): Promise<void> => {
    const token = await tokens()
    const path = `/chain/publish/${kindOf(name)}`
    const post = async (to: string, body: object, fine: readonly number[]): Promise<Reply | undefined> => {
      const reply = token === undefined ? NO_REPLY : await call('POST', to, token, body)
      if (fine.includes(reply.status)) return reply
      // 404, 409: an earlier attempt whose reply was lost went further than this one.
      if (!isUnsure(reply) && ![404, 409].includes(reply.status))
        violation(`${to} ${name}: ${reply.status} ${reply.bytes}`)
      return undefined
    }
    if (!(await post(`/chain/${kindOf(name)}`, bodies.get(name) ?? {}, [201, 409]))) return
    const prepared = await post(`${path}/prepare`, { name, relay: true }, [200])
    if (prepared === undefined) return
    const plan = prepared.json as PreparedWire | { readonly status: 'published' }
    if (plan.status === 'published') return void open.delete(name)
    const raw_tx = await signPrepared(plan, account)
    const about = { name, content_hash: plan.content_hash }
    // 400: another attempt was mined meanwhile.
    if (!(await post(`${path}/send`, { ...about, raw_tx }, [202, 400]))) return
    for (let tries = 0; tries < 20; tries++) {
      const reply = await post(path, { ...about, tx_hash: keccak256(raw_tx) }, [201, 202])
      if (reply?.status === 201) {
        open.delete(name)
        count('publications confirmed')
      }
      if (reply?.status !== 202) return
      await sleep(60)
    }
  }
  const finish = async (name: string): Promise<void> => {
    for (const until = Date.now() + SETTLE_TIMEOUT_MS; open.has(name); await sleep(60)) {
      if (Date.now() > until) return violation(`the publication of ${name} does not end`)
      await attempt(name)
    }
  }
  const add = (name: string, body: object): string => {
    bodies.set(name, body)
    open.add(name)
    return name
  }
  return {
    get names() {
      return [...bodies.keys()]
    },
    async act() {
      if (bodies.size === 0) {
        await finish(add('base_add', { name: 'base_add', sol_src: 'return x + args[0];' }))
      }
      const name = `published_${bodies.size}`
      await attempt(
        open.size > 0 && random.chance(0.7)
          ? random.pick([...open])
          : add(name, connector(name, bodies.size)),
      )
    },
    async settle() {
      for (const name of open) await finish(name)
    },
  }
}

/** An accepted World is served byte for byte. */
async function worldsActor(call: Call): Promise<Actor> {
  const account = privateKeyToAccount(generatePrivateKey())
  const challenge = await call('POST', '/services/auth/siwe/challenge', undefined, {
    address: account.address,
    chain_id: 31_337,
  })
  const { message } = challenge.json as { message: string }
  const signature = await account.signMessage({ message })
  const verified = await call('POST', '/services/auth/siwe/verify', undefined, { message, signature })
  const token = verified.json as string
  const accepted = new Map<string, ReadonlyMap<string, Buffer>>()
  let next = 0
  return {
    async act() {
      next += 1
      const files = new Map([1, 2, 3].map((i) => [`part-${i}.bin`, randomBytes(random.between(1, 100_000))]))
      const parts = [...files].map(([path, content]) => ({ name: path, content, stored: true }))
      const form = new FormData()
      const bundle = makeBundle({ slug: `world-${next}`, version: '0.0.1' }, parts)
      form.set('bundle', new Blob([bundle], { type: 'application/zip' }), 'bundle.zip')
      const reply = await call('POST', '/services/worlds/upload', token, form)
      if (reply.status === 200) {
        accepted.set((reply.json as { id: string }).id, files)
        count('uploads accepted')
      } else if (!isUnsure(reply)) violation(`upload refused: ${reply.status} ${reply.bytes}`)
    },
    async settle() {
      for (const [id, files] of accepted) {
        for (const [path, content] of files) {
          const { status, bytes } = await call('GET', `/services/world-assets/${id}/${path}`)
          if (status !== 200 || !content.equals(bytes))
            violation(`${id}/${path} is not as uploaded: ${status}`)
        }
      }
    },
  }
}

async function playRound(network: Network, actors: readonly Actor[], name: string): Promise<void> {
  let over = false
  const working = actors.map(async (actor) => {
    for (; !over; await sleep(random.between(0, 60))) await actor.act()
  })
  await sleep(random.between(0, 400))
  watch.faulty = true
  const end = await (FAULTS[name] as Fault)(network)
  await sleep(random.between(0, 1_500))
  end()
  await network.mine(random.between(0, 4))
  await sleep(random.between(0, 500))
  over = true
  await Promise.all(working)
  await network.healthy()
  watch.faulty = false
  for (const actor of actors) await actor.settle()
  await network.healthy()
}

async function runRounds(folder: string): Promise<void> {
  const network = await startProcesses(folder, watch)
  try {
    await network.healthy()
    const load = { sites: network.sites, random, count, violation }
    const call = createCall(load)
    const publications = publicationsActor(call, devAccount(1))
    await publications.act()
    // What the other actors build on is final before the first fault.
    await network.mine(32)
    await network.healthy()
    const actors = [
      publications,
      draftsActor(call, 'draft_a'),
      draftsActor(call, 'draft_b'),
      await worldsActor(call),
    ]
    const readers = [startReader(load), startReader(load)]
    const names = Object.keys(FAULTS).filter((name) => name !== 'fill the disk' || network.disk !== undefined)
    if (network.disk === undefined) console.log('No file system can be mounted here: the disk is not filled.')
    const faults = random.shuffled(names)
    for (round = 1; round <= rounds; round++) {
      const name = faults[(round - 1) % faults.length] as string
      const began = performance.now()
      await playRound(network, actors, name)
      await checkInvariants(network, violation, publications.names, readers)
      console.log(`Round ${round}: ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
    }
    await Promise.all(readers.map(({ stop }) => stop()))
    count('deltas read', readers[0]?.taken.length ?? 0)
  } finally {
    await network.stop()
  }
}

/** Runs this program again in a separate mount namespace, whose mounts end with its last process. */
function runApart(): number | null {
  const args = ['--mount', process.execPath, ...process.argv.slice(1), '--apart']
  return spawnSync('unshare', args, { stdio: 'inherit' }).status
}

async function main(): Promise<number> {
  await buildSite(() => {})
  const folder = mkdtempSync(join(tmpdir(), 'weft-chaos-'))
  await runRounds(folder).catch((error: unknown) =>
    violation(error instanceof Error ? `${error.stack}` : String(error)),
  )
  for (const [what, times] of [...counts].sort()) console.log(`  ${what}: ${times}`)
  console.log(`${rounds} rounds of seed ${seed}: ${violations.size} violations`)
  if (violations.size === 0) rmSync(folder, { recursive: true, force: true })
  else console.log(`Logs are in ${folder}. Again: npm run test:chaos -- --rounds ${rounds} --seed ${seed}`)
  return violations.size === 0 ? 0 : 1
}

const canUnshare = spawnSync('unshare', ['--mount', 'true']).status === 0
process.exitCode = values.apart || !canUnshare ? await main() : (runApart() ?? 1)
