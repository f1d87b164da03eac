import { expect, test } from 'vitest'
import { Random } from '../simulation/random.ts'
import { testChain } from '../support/chain.ts'
import { createTestDatabase } from '../support/database.ts'
import { SLOTS_IN_AN_EPOCH, startHostileNetwork } from './network.ts'
import { play } from './play.ts'
import { type Action, ATTACKS, drawProgram, type Program } from './program.ts'
import { PATIENT_BOUNDS } from './properties.ts'

/** Its blocks pile up while no worker reads them, one of them is replaced, and a standby is there. */
const SEED = 89
const LIMIT_MS = 400_000

async function expectNoViolations(program: Program): Promise<void> {
  const chain = await testChain({ slotsInAnEpoch: SLOTS_IN_AN_EPOCH })
  const network = await startHostileNetwork(chain, await createTestDatabase())
  try {
    const reports = await play(network, program, PATIENT_BOUNDS)
    expect(reports.flatMap(({ violations }) => violations)).toEqual([])
    expect(reports).toHaveLength(program.rounds.length)
  } finally {
    await network.close()
  }
}

/** Every attack beside honest publications, at a tenth of its size where it takes long. */
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
  return {
    standby: true,
    rounds: [0, 2, 4].map((at) => blocks.slice(at, at + 2).map((each) => ({ do: 'block', actions: each }))),
  }
}

test('every attack, mixed with honest publications, with a standby', { timeout: LIMIT_MS }, () =>
  expectNoViolations(everyAttack()),
)

test(`a random program of attacks, reorganisations and restarts (seed ${SEED})`, { timeout: LIMIT_MS }, () =>
  expectNoViolations(drawProgram(new Random(SEED), 1)),
)
