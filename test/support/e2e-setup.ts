import type { TestProject } from 'vitest/node'
import { anyFreePort } from '../../scripts/stack/ports.ts'
import type { Endpoints } from '../../scripts/stack/stack.ts'
import { startOwnProgram } from './program.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The running program that all files share: built site, worker, chain, database, example network. */
    endpoints: Endpoints
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { endpoints, close } = await startOwnProgram({
    PORT: String(await anyFreePort()),
    CHAIN_PORT: String(await anyFreePort()),
  })
  project.provide('endpoints', endpoints)
  return close
}
