import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Steps } from './step.ts'

interface Particles {
  readonly path: string
  readonly data: number[]
}

const SCALE = [60, 62, 64, 65, 67, 69, 71, 72]

/** `count` numbers from `start` on, each `by` more than the one before. */
function stairs(count: number, by: number, start = 0): number[] {
  return Array.from({ length: count }, (_, index) => start + by * index)
}

export const running: Steps = {
  'first-values': async ({ me, random, network: { names } }) => {
    const count = random.between(2, 40)
    deepEqual(await me.simulate(names.line, count), [stairs(count, 3)])
  },
  'from-elsewhere': async ({ me, random, network: { names } }) => {
    const start_point = random.between(1, 1000)
    const dynamic_ri = { '1': { start_point, transformation_shift: 0 } }
    deepEqual(await me.simulate(names.line, 12, { dynamic_ri }), [stairs(12, 3, start_point)])
  },
  'with-the-third-step': async ({ me, network: { names }, fresh }) => {
    const rise = fresh('rise')
    await me.compose(rise, [{ steps: [2, 2, 1, 2, 2, 2, 1].map((by) => [names.add, by] as const) }])
    const dynamic_ri = { '1': { start_point: 60, transformation_shift: 2 } }
    deepEqual(await me.simulate(rise, 5, { dynamic_ri }), [[60, 61, 63, 65, 67]])
  },
  'as-the-chain-has-it': async ({ me, network: { names } }) => {
    const run = { connector_name: names.melody, particles_count: 8 }
    const onChain = await me.value<{ block_number: number; particles: Particles[] }>('execute', run)
    deepEqual(onChain.particles, await me.value('simulate', run))
    ok(onChain.block_number > 0)
    deepEqual(onChain.particles[0]?.data, SCALE)
  },
  'compare-two-runs': async ({ me, network: { names } }) => {
    const elsewhere = { '1': { start_point: 9, transformation_shift: 0 } }
    const { runs } = await me.value<{ runs: { particles: Particles[] }[] }>('compare_runs', {
      runs: [
        { connector_name: names.line, particles_count: 16 },
        { connector_name: names.line, particles_count: 16, dynamic_ri: elsewhere },
      ],
    })
    const [first, second] = runs.map(({ particles }) => particles[0]?.data ?? [])
    deepEqual([first, second], [stairs(16, 3), stairs(16, 3, 9)])
    // The second is the first, three steps later.
    deepEqual(second?.slice(0, 13), first?.slice(3))
  },
  'explain-a-value': async ({ me, random, network: { names } }) => {
    const step = random.between(1, 7)
    const path = `/${names.melody}:0`
    const told = await me.value<{ outcome: string; value: number; dimensions: { steps: unknown[] }[] }>(
      'explain_value',
      { connector_name: names.melody, path, step },
    )
    equal(told.outcome, 'explained')
    equal(told.value, SCALE[step])
    ok((told.dimensions[0]?.steps.length ?? 0) > 0)
  },
  'verify-a-run': async ({ me, random, network: { names, siteOrigin } }) => {
    const run = { connector_name: names.song, particles_count: random.between(2, 12) }
    const told = await me.value<{ verdict: string; sentence: string; certificate_url: string }>(
      'verify_run',
      run,
    )
    equal(told.verdict, 'proven')
    match(told.sentence, new RegExp(names.song))
    ok(told.certificate_url.startsWith(`${siteOrigin}/run/${names.song}/certificate?`))
  },
  'show-me': async ({ me, network: { names } }) => {
    const { client } = me.agent
    const { tools } = await client.listTools()
    const ui = tools.find(({ name }) => name === 'show_run')?._meta?.ui as { resourceUri: string }
    const { contents } = await client.readResource({ uri: ui.resourceUri })
    equal(contents[0]?.mimeType, 'text/html;profile=mcp-app')
    const shown = await me.value<Particles[]>('show_run', { connector_name: names.pair, particles_count: 6 })
    deepEqual(
      shown.map(({ data }) => data),
      [stairs(6, 2), stairs(6, 5)],
    )
  },
  'why-it-does-not-run': async ({ me, network: { names } }) => {
    const { status, message } = await me.refusal('simulate', {
      connector_name: names.shut,
      particles_count: 4,
    })
    equal(status, 400)
    match(message, /condition/i)
    const { condition_name: name, condition_args: args } = await me.value<{
      condition_name: string
      condition_args: number[]
    }>('read_connector', { name: names.shut })
    deepEqual([name, args], [names.gate, [1, 2]])
  },
  'too-many-values': async ({ me, network: { names } }) => {
    const run = (particles_count: number) => ({ connector_name: names.line, particles_count })
    equal((await me.refusal('simulate', run(70_000))).status, 400)
    const { status, message } = await me.refusal('simulate', run(65_536))
    equal(status, 413)
    match(message, /fewer particles/)
    deepEqual(await me.simulate(names.line, 64), [stairs(64, 3)])
  },
  'what-the-song-plays': async ({ me, network: { names } }) => {
    const particles = await me.value<Particles[]>('simulate', {
      connector_name: names.song,
      particles_count: 10,
    })
    deepEqual(particles, [{ path: `/${names.song}:0/${names.line}:0`, data: stairs(10, 6) }])
  },
}
