import { expect, test } from 'vitest'
import { testChain } from '../support/chain.ts'
import { createTestDatabase } from '../support/database.ts'
import { SLOTS_IN_AN_EPOCH, startHostileNetwork } from './network.ts'
import { play } from './play.ts'
import { type Action, ATTACKS, type Program, type Step } from './program.ts'
import { PATIENT_BOUNDS } from './properties.ts'

/**
 * Every attack beside honest publications, at a tenth of its size where it takes long. In the second round a worker is
 * killed, blocks pile up while none reads them, and one is replaced. Random programs: `npm run test:hostile`.
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

test('every attack, mixed with honest publications, a kill and a reorganisation, with a standby', {
  timeout: 400_000,
}, async () => {
  const program = everyAttack()
  const chain = await testChain({ slotsInAnEpoch: SLOTS_IN_AN_EPOCH })
  const network = await startHostileNetwork(chain, await createTestDatabase())
  try {
    const reports = await play(network, program, PATIENT_BOUNDS)
    expect(reports.flatMap(({ violations }) => violations)).toEqual([])
    expect(reports).toHaveLength(program.rounds.length)
  } finally {
    await network.close()
  }
})
