import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { keepIn } from './kept.ts'
import { listen } from './listen.ts'
import { once, type SharedServices, startSharedServices } from './shared-services.ts'
import { printSeed } from './slice.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the servers that test files share; see `shared-services.ts`. */
    sharedServices: string
  }
}

/** Servers start at their first use, so that a run of pure tests starts none. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  printSeed()
  const folder = mkdtempSync(join(tmpdir(), 'weft-test-'))
  const keepAnew = () => keepIn(join(folder, 'kept'))
  keepAnew()
  project.onTestsRerun(keepAnew)
  const services = startSharedServices(folder)
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1)
    answer(services, name).then(
      (body) => response.writeHead(200).end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    )
  })
  project.provide('sharedServices', `http://127.0.0.1:${await listen(server)}`)
  const close = once(async () => {
    server.closeAllConnections()
    server.close()
    await services.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return close
}

async function answer(services: SharedServices, name: string): Promise<unknown> {
  if (name === 'database') return services.database()
  if (name === 'chain') return services.chain()
  throw new Error(`Nothing is shared under ${name}`)
}
