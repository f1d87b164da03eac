import { pino } from 'pino'
import type { Services } from '#lib/core/context/context.ts'
import { MemoryBudget } from '#lib/platform/limits/memory-budget.ts'
import { openPlaces } from '#lib/platform/limits/places.ts'
import { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { testConfig } from './config.ts'

/** The services that the dispatcher itself uses, for operations that use none. */
export function bareServices(parts: Partial<Services> = {}): Services {
  const config = parts.config ?? testConfig()
  const ledger = new UsageLedger()
  return {
    config,
    log: pino({ level: 'silent' }),
    rateLimiter: { take: () => undefined },
    ledger,
    places: openPlaces(ledger, config),
    memory: new MemoryBudget(ledger, 1_000_000_000),
    ...parts,
  } as unknown as Services
}
