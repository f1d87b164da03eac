import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Step } from '../player.ts'
import type { Steps } from './step.ts'

const MAJOR = [2, 2, 1, 2, 2, 2, 1]

export const composing: Steps = {
  'melody-without-repeats': async ({ me, random, fresh }) => {
    const [step, melody] = [fresh('leap'), fresh('tune')]
    await me.draft('transformation', step, 'return 60 + (x - 60 + args[0]) % 13;')
    // Never a multiple of thirteen, so never the same pitch again.
    const steps = Array.from({ length: 15 }, (): Step => [step, random.between(1, 12)])
    await me.compose(melody, [{ steps, start: 60 }])
    const [drafted] = await me.simulate(melody, 16)
    ok(drafted?.every((pitch, index) => pitch >= 60 && pitch <= 72 && pitch !== drafted[index - 1]))
    await me.publish('transformation', step)
    await me.publish('connector', melody)
    const run = { connector_name: melody, particles_count: 16 }
    const { particles } = await me.value<{ particles: { data: number[] }[] }>('execute', run)
    deepEqual(particles[0]?.data, drafted)
  },
  'scale-of-c': async ({ me, fresh }) => {
    const [step, scale] = [fresh('up'), fresh('scale')]
    await me.draft('transformation', step, 'return x + args[0];')
    await me.compose(scale, [{ steps: MAJOR.map((by): Step => [step, by]), start: 60 }])
    deepEqual(await me.simulate(scale, 8), [[60, 62, 64, 65, 67, 69, 71, 72]])
  },
  'two-voices': async ({ me, network: { names }, fresh }) => {
    const duet = fresh('duet')
    const steps = MAJOR.map((by): Step => [names.add, by])
    await me.compose(duet, [
      { steps, start: 60 },
      { steps, start: 72 },
    ])
    const [low, high] = await me.simulate(duet, 15)
    equal(low?.length, 15)
    deepEqual(
      high,
      low?.map((pitch) => pitch + 12),
    )
  },
  'bass-of-four-notes': async ({ me, random, fresh }) => {
    const [step, bass] = [fresh('to'), fresh('bass')]
    const notes = [
      random.between(30, 40),
      random.between(41, 45),
      random.between(46, 48),
      random.between(30, 48),
    ]
    await me.draft('transformation', step, 'return args[0];')
    const [first = 0, ...later] = notes
    await me.compose(bass, [{ steps: [...later, first].map((note): Step => [step, note]), start: first }])
    const [played] = await me.simulate(bass, 12)
    deepEqual(played, [...notes, ...notes, ...notes])
  },
  'counter-that-wraps': async ({ me, random, fresh }) => {
    const hours = random.between(3, 24)
    const [step, clock] = [fresh('tick'), fresh('clock')]
    await me.draft('transformation', step, 'return (x + 1) % args[0];')
    await me.compose(clock, [{ steps: [[step, hours]] }])
    const [read] = await me.simulate(clock, 50)
    deepEqual(
      read,
      Array.from({ length: 50 }, (_, index) => index % hours),
    )
  },
  'mend-the-source': async ({ me, fresh }) => {
    const step = fresh('mended')
    const { status, message } = await me.refusal('create_transformation', {
      name: step,
      sol_src: 'return x +;',
    })
    equal(status, 400)
    match(message, /expected|parser|error/i)
    await me.draft('transformation', step, 'return x + 1;')
    equal((await me.value<{ name: string }>('read_transformation', { name: step })).name, step)
  },
  'name-is-taken': async ({ me, network: { names }, fresh }) => {
    const refused = await me.refusal('create_transformation', { name: names.add, sol_src: 'return x;' })
    equal(refused.status, 409)
    const other = fresh('other')
    await me.draft('transformation', other, 'return x;')
    equal((await me.value<{ owner: string }>('read_transformation', { name: other })).owner, me.address)
  },
  'build-on-ada': async ({ me, network: { names }, fresh }) => {
    const name = fresh('on_ada')
    await me.value('create_connector', {
      name,
      dimensions: [{ transformations: [{ name: names.add, args: [3] }], composite: names.line }],
    })
    deepEqual(await me.simulate(name, 4), [[0, 9, 18, 27]])
  },
  'guarded-and-not': async ({ me, network: { names }, random, fresh }) => {
    const condition = fresh('enough')
    const limit = random.between(5, 50)
    await me.draft('condition', condition, `return args[0] > ${limit};`)
    const [good, bad] = [fresh('runs'), fresh('waits')]
    const steps: readonly Step[] = [[names.add, 1]]
    await me.compose(good, [{ steps }], { condition_name: condition, condition_args: [limit + 1] })
    await me.compose(bad, [{ steps }], { condition_name: condition, condition_args: [limit] })
    deepEqual(await me.simulate(good, 3), [[0, 1, 2]])
    match((await me.refusal('simulate', { connector_name: bad, particles_count: 3 })).message, /condition/i)
  },
  'doubling-to-128': async ({ me, fresh }) => {
    const [step, line] = [fresh('double'), fresh('doubling')]
    await me.draft('transformation', step, 'return x >= 128 ? 1 : x * 2;')
    await me.compose(line, [{ steps: [[step]], start: 1 }])
    deepEqual(await me.simulate(line, 10), [[1, 2, 4, 8, 16, 32, 64, 128, 1, 2]])
  },
  'plan-only': async ({ me, fresh }) => {
    const [step, line] = [fresh('step'), fresh('planned')]
    await me.draft('transformation', step, 'return x + 6;')
    await me.compose(line, [{ steps: [[step]] }])
    const plan = await me.value<{ outcome: string; items: { name: string; entry: unknown; gas: string }[] }>(
      'publish_plan',
      { kind: 'connector', name: line },
    )
    equal(plan.outcome, 'planned')
    deepEqual(
      plan.items.map(({ name, entry }) => [name, entry]),
      [
        [step, null],
        [line, null],
      ],
    )
    ok(plan.items.every(({ gas }) => BigInt(gas) > 21_000n))
    equal((await me.value<{ address: string }>('read_transformation', { name: step })).address, '0x0')
  },
}
