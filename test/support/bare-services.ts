import { pino } from 'pino'
import type { Services } from '#lib/core/context/context.ts'
import { createByteBudget } from '#lib/platform/limits/byte-budget.ts'
import { createWorkLimiter } from '#lib/platform/limits/work-limiter.ts'
import { testConfig } from './config.ts'

/** The services that the dispatcher itself uses, for operations that use none. */
export function bareServices(parts: Partial<Services> = {}): Services {
  return {
    config: testConfig(),
    log: pino({ level: 'silent' }),
    rateLimiter: { take: () => undefined },
    workLimiter: createWorkLimiter(1_000),
    uploadBudget: createByteBudget(1_000_000_000, 'uploads'),
    ...parts,
  } as unknown as Services
}
