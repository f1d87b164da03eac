/**
 * Attacks a running site as one client, or one with four networks, and measures what others wait meanwhile:
 * `npm run test:fairness -- --seconds 20`, or only the attacks whose title has a word: `npm run test:fairness -- pages`.
 *
 * Prints the table of `docs/load.md`. Exits with 1 when anything of others was refused: how long they wait depends on the machine.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { killChildren } from '#scripts/stack/child.ts'
import { buildSite } from '#scripts/stack/site-build.ts'
import { makeBundle } from '#test/core/worlds/support/bundle.ts'
import { bundleForm } from '#test/support/form.ts'
import { startOwnProgram } from '#test/support/program.ts'
import { ATTACKS, type Site } from './attacks.ts'
import { type Answer, type Ask, createAsk, newAddress, newToken } from './client.ts'

process.on('exit', killChildren)
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '15' } },
})
const milliseconds = Number(values.seconds) * 1000

await buildSite((line) => console.log(line))
const { endpoints, close } = await startOwnProgram({
  TRUSTED_PROXIES: '1',
  RATE_CREATE: '0',
  LOG_LEVEL: 'fatal',
})
const { ask, close: closeAsk } = createAsk(endpoints.site)
let refused = 0
try {
  await measureAll(await prepare())
} finally {
  closeAsk()
  await close()
}
process.exit(refused > 0 ? 1 : 0)

/** A small request of another client. */
type Probe = (ask: Ask, site: Site) => Promise<Answer>

async function probes(): Promise<Readonly<Record<string, Probe>>> {
  const token = await newToken(ask)
  const form = await bundleForm(makeBundle({ slug: 'of-others' }))
  let drafts = randomInt(1e9)
  return {
    reads: (ask, { connector }) => ask({ from: newAddress(), path: `/chain/connector/${connector}` }),
    pages: (ask, { connector }) => ask({ from: newAddress(), path: `/connectors/${connector}` }),
    '/healthz': (ask) => ask({ from: newAddress(), path: '/healthz' }),
    runs: (ask, { connector }) =>
      ask({
        from: newAddress(),
        method: 'POST',
        path: '/chain/simulate',
        json: { connector_name: connector, particles_count: 16 },
      }),
    drafts: (ask) =>
      ask({
        from: newAddress(),
        method: 'POST',
        path: '/chain/transformation',
        token,
        json: { name: `other_${drafts}`, sol_src: `return x + ${++drafts};` },
      }),
    validations: (ask) =>
      ask({ from: newAddress(), method: 'POST', path: '/services/worlds/validate', form }),
  }
}

async function prepare(): Promise<Site> {
  const token = await newToken(ask)
  const endless = 'Endless'
  for (const [kind, json] of [
    ['transformation', { name: 'endless', sol_src: 'while (true) { unchecked { x++; } } return x;' }],
    ['connector', { name: endless, dimensions: [{ transformations: [{ name: 'endless', args: [] }] }] }],
  ] as const) {
    const answer = await ask({ from: newAddress(), method: 'POST', path: `/chain/${kind}`, token, json })
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  }
  const feed = await ask({ from: newAddress(), path: '/chain/feed?limit=100' })
  const name = /"feed_id":"\d+:connector[^":]*:([^"]+)"/i.exec(feed.text)?.[1]
  if (name === undefined) throw new Error(`No connector is published: ${feed.text.slice(0, 300)}`)
  return { origin: endpoints.site, ask, connector: name, endless }
}

async function measureAll(site: Site): Promise<void> {
  const all = await probes()
  const names = Object.keys(all)
  // What is asked for first loads, compiles and caches.
  await measure(site, all, 3_000)
  const idle = await measure(site, all, milliseconds)
  console.log(`| what one client did | before | ${names.join(' | ')} | the same | refused |`)
  console.log(`| --- | --- | ${names.map(() => '---:').join(' | ')} | ---: | ---: |`)
  console.log(`| nothing | | ${idle.p95.map(show).join(' | ')} | | ${idle.refused} |`)
  for (const attack of ATTACKS) {
    if (positionals.length > 0 && !positionals.some((word) => attack.title.includes(word))) continue
    const end = new AbortController()
    const attacking = attack.run(site, end.signal).catch((error: unknown) => error)
    await sleep(1_000)
    const { others } = attack
    const same = others && (() => others(site))
    // An account that did nothing before: what it used would count against it.
    const during = await measure(site, { ...(await probes()), ...(same && { same }) }, milliseconds)
    end.abort()
    const failure = await attacking
    if (failure instanceof Error && failure.name !== 'AbortError') console.error(failure)
    refused += during.refused
    console.log(
      `| ${attack.title} | ${attack.before ?? ''} | ${during.p95.map(show).join(' | ')} | ${same ? '' : ' | '}${during.refused} |`,
    )
    // What was used fades in a minute; threads that it took are loaded again.
    await sleep(3_000)
  }
}

/** Asks for each thing again and again, one at a time of each, and returns what it took in the 95th of 100 cases. */
async function measure(site: Site, all: Readonly<Record<string, Probe>>, forMs: number) {
  const until = performance.now() + forMs
  let refused = 0
  const p95 = await Promise.all(
    Object.values(all).map(async (probe) => {
      const took: number[] = []
      while (performance.now() < until) {
        const began = performance.now()
        const { status } = await probe(ask, site).catch(() => ({ status: 0 }))
        took.push(performance.now() - began)
        if (status === 0 || status >= 400) refused += 1
        await sleep(100)
      }
      return took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.95)] ?? Number.NaN
    }),
  )
  return { p95, refused }
}

function show(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}
