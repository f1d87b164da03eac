import { expect, test } from 'vitest'
import { testChain } from '#test/support/chain.ts'
import { createTestDatabase } from '#test/support/database.ts'
import { SEED, TIMES } from '#test/support/slice.ts'
import { Random } from '../simulation/random.ts'
import { SLOTS_IN_AN_EPOCH, startHostileNetwork } from './network.ts'
import { play } from './play.ts'
import { type Action, ATTACKS, drawProgram, type Program, type Step } from './program.ts'
import { BOUNDS, type Bounds, PATIENT_BOUNDS } from './properties.ts'

/** Random programs, beside the one with every attack. */
const PROGRAMS = Array.from({ length: Math.ceil(TIMES) - 1 }, (_, i) => i)
/** More would make a program slow to repeat, fewer would leave little to build on. */
const ROUNDS_OF_A_PROGRAM = 6

/**
 * Every attack beside honest publications, at a tenth of its size where it takes long. In the second round a worker is
 * killed, blocks pile up while none reads them, and one is replaced.
 */
function everyAttack(): Program {
  const actions = [...ATTACKS.values()].map(({ name, parameters, heavy }, id): Action => {
    const sizes = Object.entries(parameters).map(([parameter, [least, most]]): [string, number] => [
      parameter,
      heavy === true ? least + Math.floor((most - least) / 10) : most,
    ])
    return { do: 'attack', id, attack: name, parameters: Object.fromEntries(sizes) }
  })
  const honest = (id: number, what: 'transformation' | 'connector' | 'direct'): Action => ({
    do: 'honest',
    id,
    what,
  })
  const blocks = Array.from({ length: 6 }, (_, i) => [
    honest(100 + i, i === 0 ? 'transformation' : 'direct'),
    ...actions.filter((_, at) => at % 6 === i),
    honest(200 + i, i === 0 ? 'direct' : 'connector'),
  ])
  const [first, second] = [blocks.slice(0, 3), blocks.slice(3)].map((half) =>
    half.map((actions): Step => ({ do: 'block', actions })),
  )
  return {
    standby: true,
    rounds: [
      first ?? [],
      [{ do: 'stop', signal: 'SIGKILL' }, ...(second ?? []), { do: 'reorganise', depth: 1 }],
    ],
  }
}

/** On a chain and a database of its own. */
async function playAlone(program: Program, bounds: Bounds): Promise<readonly string[]> {
  const chain = await testChain({ slotsInAnEpoch: SLOTS_IN_AN_EPOCH })
  const network = await startHostileNetwork(chain, await createTestDatabase())
  try {
    return await play(network, program, bounds)
  } finally {
    await network.close()
  }
}

test('every attack, mixed with honest publications, a kill and a reorganisation, with a standby', async () => {
  expect(await playAlone(everyAttack(), PATIENT_BOUNDS)).toEqual([])
})

test.each(PROGRAMS)(`program %i of seed ${SEED}`, async (i) => {
  const program = drawProgram(new Random(SEED * 100_003 + i), ROUNDS_OF_A_PROGRAM)
  expect(await playAlone(program, BOUNDS), JSON.stringify(program)).toEqual([])
})
