import type { Services } from '../context.ts'
import type { Hash } from '../domain/entity.ts'
import { artifactClosure } from './load-artifacts.ts'

/** Some seconds' work of one thread at most. */
const CONNECTORS = 40

/**
 * Starts the simulator and lets it get ready for what was published last, so that the first requests to a process find
 * it warm. Never rejects.
 */
export async function warmUp(services: Pick<Services, 'db' | 'simulator' | 'log'>): Promise<void> {
  const { db, simulator, log } = services
  try {
    simulator.start()
    const rows = await db.sql<{ artifact_hash: Hash }[]>`
      select artifact_hash from entities where kind = 'connector' and artifact_hash is not null
      order by block_number desc, tx_index desc, log_index desc limit ${CONNECTORS}`
    for (const { artifact_hash: root } of rows) {
      await simulator.prepare({ root, artifacts: await artifactClosure(services, [root]) })
    }
  } catch (error) {
    log.debug({ err: error }, 'could not warm up')
  }
}
