import { existsSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import type { Endpoints } from '#scripts/stack/stack.ts'
import { ownPort } from './own-port.ts'
import { startOwnProgram } from './program.ts'
import { printSeed } from './slice.ts'
import { until } from './until.ts'

const HOUR_MS = 3_600_000

declare module 'vitest' {
  interface ProvidedContext {
    /** The running program that all files share: built site, worker, chain, database, example network. */
    endpoints: Endpoints
    /** Port of this machine that the studio's assistant may reach; a test listens there. */
    modelPort: number
  }
}

/** With `TESTS_AFTER`, the tests wait for that file: the program starts while others still run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  printSeed()
  const modelPort = await ownPort()
  const { endpoints, close } = await startOwnProgram({
    PORT: String(await ownPort()),
    CHAIN_PORT: String(await ownPort()),
    ASSISTANT_ENDPOINTS: `http://127.0.0.1:${modelPort}`,
  })
  project.provide('endpoints', endpoints)
  project.provide('modelPort', modelPort)
  const { TESTS_AFTER: after } = process.env
  if (after !== undefined) await until('the other tests have ended', () => existsSync(after), HOUR_MS)
  return close
}
