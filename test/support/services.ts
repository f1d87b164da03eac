import type { Services } from '#lib/core/context/context.ts'
import { closeServices, createServices } from '#lib/core/context/services.ts'
import type { Config } from '#lib/platform/config.ts'
import { withSharedCompiler } from './compiler.ts'
import { testConfig } from './config.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** Services of a process, over a database of its own. */
export interface TestServices {
  readonly services: Services
  readonly db: TestDatabase
  /** Moves the clock of the services forward. */
  advance(milliseconds: number): void
  close(): Promise<void>
}

/** @param parts Replaces some of the program's own services. */
export async function startServices(
  config: Partial<Config> = {},
  parts: Partial<Services> | ((own: Services) => Partial<Services>) = {},
): Promise<TestServices> {
  const db = await createTestDatabase()
  const own = await createServices(testConfig({ ...config, databaseUrl: db.url }))
  const shared = config.compile === undefined ? withSharedCompiler(own) : own
  let ahead = 0
  const clock = () => new Date(Date.now() + ahead)
  return {
    services: { ...shared, db, clock, ...(typeof parts === 'function' ? parts(own) : parts) },
    db,
    advance: (milliseconds) => {
      ahead += milliseconds
    },
    close: async () => {
      await closeServices(own)
      await db.close()
    },
  }
}
