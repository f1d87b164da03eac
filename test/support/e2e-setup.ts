import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { anyFreePort } from '../../scripts/stack/ports.ts'
import type { Endpoints } from '../../scripts/stack/stack.ts'
import { startProgram } from './program.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The running program that all files share: built site, worker, chain, database, example network. */
    endpoints: Endpoints
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weft-e2e-'))
  const program = startProgram(dataDir, {
    PORT: String(await anyFreePort()),
    CHAIN_PORT: String(await anyFreePort()),
    // A machine busy with other tests takes its time over a harmless body.
    COMPILE_TIMEOUT_MS: '30000',
  })
  const close = async () => {
    await program.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    project.provide('endpoints', await program.ready())
  } catch (error) {
    await close()
    throw error
  }
  return close
}
