/** Runs after `npm ci`: drops headers that the bundled Node brings, and generates files where sources and tools are. */
import { existsSync, rmSync } from 'node:fs'

rmSync('node_modules/node/node_modules', { recursive: true, force: true })
if (existsSync('scripts/generate.ts') && existsSync('node_modules/openapi-typescript')) {
  await import('./generate.ts')
}
