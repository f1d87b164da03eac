import { pino } from 'pino'
import type { Services } from '../../lib/context.ts'
import { createBodyRoom } from '../../lib/limits/body-room.ts'
import { createWorkGate } from '../../lib/limits/gate.ts'
import { testConfig } from './config.ts'

/** What the dispatcher itself asks of services: for operations that ask nothing of them. */
export function bareServices(parts: Partial<Services> = {}): Services {
  return {
    config: testConfig(),
    log: pino({ level: 'silent' }),
    limiter: { take: () => undefined },
    work: createWorkGate(1_000),
    bodies: createBodyRoom(1_000_000_000),
    ...parts,
  } as unknown as Services
}
