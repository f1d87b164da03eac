import type { Random } from '../../simulation/random.ts'
import { type Client, describe, isUnsure } from '../client.ts'
import type { Report } from '../report.ts'
import type { Actor } from './actor.ts'

const COUNTS = [1, 12, 300]

/** Runs one published connector again and again: it says the same each time, or nothing. */
export function simulationsActor(client: Client, random: Random, report: Report): Actor {
  const first = new Map<string, string>()
  const run = async (): Promise<number> => {
    const request = {
      connector_name: 'base',
      particles_count: random.pick(COUNTS),
      dynamic_ri: { '1': { start_point: random.between(0, 3), transformation_shift: 0 } },
    }
    const answer = await client.ask('POST', '/chain/simulate', { body: request })
    if (answer.status === 200) {
      const key = JSON.stringify(request)
      const said = JSON.stringify(answer.json)
      const before = first.get(key) ?? said
      first.set(key, before)
      if (said !== before) report.violation(`the run ${key} says ${said}, and said ${before} before`)
    } else if (!isUnsure(answer) && answer.status !== 429) {
      report.violation(`a run was refused: ${describe(answer)}`)
    }
    return answer.status
  }
  return {
    name: 'simulations',
    async act() {
      await run()
    },
    async settle() {
      const status = await run()
      if (status !== 200) report.violation(`a run on a healthy network: ${status}`)
    },
  }
}
