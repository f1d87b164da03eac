import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { anyFreePort } from '#scripts/stack/ports.ts'
import { startPostgres } from '#scripts/stack/postgres.ts'

/** A PostgreSQL of the bench's own, as durable as a real one. */
export interface BenchPostgres {
  /** An empty database. */
  newDatabase(name: string): Promise<string>
  close(): Promise<void>
}

export async function startBenchPostgres(): Promise<BenchPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-bench-'))
  // PostgreSQL runs as another account when this runs as root.
  chmodSync(folder, 0o755)
  const server = await startPostgres({
    dataDir: join(folder, 'data'),
    port: await anyFreePort(),
    password: 'bench',
    settings: ['max_connections=200'],
  })
  return {
    async newDatabase(name) {
      const sql = postgres(server.url('postgres'), { max: 1, onnotice: () => {} })
      await sql.unsafe(`create database ${name}`)
      await sql.end({ timeout: 1 })
      return server.url(name)
    },
    async close() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
