import { afterAll, beforeAll, expect, test } from 'vitest'
import { Random } from '../simulation/random.ts'
import { type AgentNetwork, letters, startAgentNetwork } from './network.ts'
import { composing } from './steps/composing.ts'
import { following } from './steps/following.ts'
import { publishing } from './steps/publishing.ts'
import { reading } from './steps/reading.ts'
import { running } from './steps/running.ts'
import type { Steps } from './steps/step.ts'
import tasks from './tasks.json' with { type: 'json' }

/*
 * Tasks as people say them, played with nothing but the tools by the official client: `npm run test:agents` plays all.
 * Each is held against what is true, which is worked out without the tools. The player is a script that knows the tools:
 * it shows what they suffice for, not what a model makes of them.
 */

const steps: Steps = { ...reading, ...running, ...composing, ...publishing, ...following }
const seed = Number(process.env.AGENT_SEED ?? 1)
const count = Number(process.env.AGENT_TASKS ?? 8)

const random = new Random(seed)
const chosen = random.shuffled(tasks).slice(0, count)
let succeeded = 0
let network: AgentNetwork

beforeAll(async () => {
  network = await startAgentNetwork(random.fork())
})
afterAll(async () => {
  if (count >= tasks.length) console.log(`${succeeded} of ${chosen.length} tasks succeeded (seed ${seed})`)
  await network?.close()
})

test('every task is written down once, and can be played', () => {
  expect(tasks.length).toBe(50)
  expect(tasks.map(({ id }) => id).toSorted()).toEqual(Object.keys(steps).toSorted())
})

test.each(chosen.map(({ id, task }) => [task, id] as const))('%s', async (_, id) => {
  const own = random.fork()
  const word = letters(own, 6)
  const play = steps[id]
  if (play === undefined) throw new Error(`No steps for ${id}`)
  await play({ network, me: network.me, random: own, fresh: (part) => `${word}_${part}` })
  succeeded += 1
})
