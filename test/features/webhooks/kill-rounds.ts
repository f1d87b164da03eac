import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type postgres from 'postgres'
import { feedTables } from '#test/core/feed/feed-tables.ts'
import { Random } from '#test/suites/simulation/random.ts'
import { until } from '#test/support/until.ts'
import { insertEndpoint, startReceiver } from './receiver.ts'

export interface KillRoundsOptions {
  readonly rounds: number
  readonly seed: number
  /** Milliseconds for each wait. */
  readonly patienceMs: number
}

export interface KillRoundsResult {
  readonly published: number
  readonly received: number
  readonly repeated: number
  /** Faults that must never happen, in sentences. */
  readonly violations: readonly string[]
}

const MOST_BEHIND = 200

const KINDS = ['connector', 'transformation', 'condition'] as const

/**
 * Publishes, and kills a delivering process with SIGKILL at a random request of each round: some before their answer,
 * some after it. Two endpoints listen, one of them to conditions only.
 */
export async function killRounds(
  db: { readonly url: string; readonly sql: postgres.Sql },
  { rounds, seed, patienceMs }: KillRoundsOptions,
): Promise<KillRoundsResult> {
  const random = new Random(seed)
  const folder = mkdtempSync(join(tmpdir(), 'weft-deliver-'))
  const program = await bundled(join(folder, 'deliver.mjs'))
  const feed = await feedTables(db.sql)
  const receiver = await startReceiver()
  await insertEndpoint(db.sql, { id: 'all', url: `http://127.0.0.1:${receiver.port}/all` })
  await insertEndpoint(db.sql, {
    id: 'conditions',
    url: `http://127.0.0.1:${receiver.port}/conditions`,
    filter_kind: 'condition',
  })
  const expected: Record<string, number[]> = { '/all': [], '/conditions': [] }
  let published = 0
  let deliverer: ChildProcess | undefined
  // Not its lease that is tried here: it is what a killed process leaves, and would make each round take its length.
  const endLeases = () => db.sql`update webhook_endpoints set lease_until = null, lease_token = null`
  try {
    for (let round = 1; round <= rounds; round++) {
      deliverer = start(program, db.url)
      const killed = deliverer
      const exited = once(killed, 'exit')
      let before = random.between(1, 6)
      const answersFirst = random.chance(0.5)
      receiver.answer = (_, response) => {
        before -= 1
        if (before > 0) response.writeHead(204).end()
        else if (!answersFirst) killed.kill('SIGKILL')
        else response.writeHead(204).end(() => killed.kill('SIGKILL'))
      }
      // More than a round takes, until it would take the last process too long to catch up.
      const length = published - receiver.numbers('/all').length > MOST_BEHIND ? 0 : random.between(6, 10)
      const publications = Array.from({ length }, (_, i) => ({
        name: `r${round}_${i}`,
        kind: random.pick(KINDS),
        blockNumber: round,
        logIndex: i,
      }))
      for (const { kind } of publications) {
        published += 1
        expected['/all']?.push(published)
        if (kind === 'condition') expected['/conditions']?.push(published)
      }
      await feed.publish(...publications)
      await Promise.race([exited, late(`round ${round}: the process is not killed`, patienceMs)])
      await endLeases()
    }
    receiver.answer = (_, response) => response.writeHead(204).end()
    deliverer = start(program, db.url)
    await until(
      'both endpoints are at the end',
      async () => {
        const rows = await db.sql`select 1 from webhook_endpoints where position < ${published}`
        return rows.length === 0
      },
      patienceMs,
    )
  } finally {
    deliverer?.kill('SIGKILL')
    await receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const violations = Object.entries(expected).flatMap(([path, numbers]) =>
    violationsOf(path, numbers, receiver.numbers(path)),
  )
  const distinct = new Set(receiver.received.map(({ path, id }) => `${path} ${id}`)).size
  return {
    published,
    received: receiver.received.length,
    repeated: receiver.received.length - distinct,
    violations,
  }
}

/** The deliverer as one file, which starts in a tenth of the time: each round starts a process. */
async function bundled(outfile: string): Promise<string> {
  await build({
    entryPoints: ['test/features/webhooks/deliver-process.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    // Some of what it uses is CommonJS.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
    },
  })
  return outfile
}

function start(program: string, databaseUrl: string): ChildProcess {
  return spawn(process.execPath, [program, databaseUrl], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Each number follows the one before it, or repeats it. */
function violationsOf(path: string, expected: readonly number[], received: readonly number[]): string[] {
  const violations: string[] = []
  let at = -1
  for (const number of received) {
    if (at >= 0 && number === expected[at]) continue
    if (number === expected[at + 1]) at += 1
    else
      violations.push(`${path}: ${number} after ${expected[at] ?? 'nothing'}, expected ${expected[at + 1]}`)
  }
  if (at + 1 < expected.length) violations.push(`${path}: ${expected.length - at - 1} were never received`)
  return violations
}

async function late(what: string, ms: number): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  setTimeout(() => reject(new Error(what)), ms).unref()
  return promise
}
