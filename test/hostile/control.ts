import { workerData } from 'node:worker_threads'
import postgres from 'postgres'

/*
 * A heartbeat that nothing hostile can disturb, from a thread of its own: what delays it is the machine or the database, and
 * is not held against the worker.
 */

const sql = postgres(workerData as string, { max: 1, onnotice: () => {} })
setInterval(() => {
  sql`insert into beats values ('control', clock_timestamp())`.catch(() => {})
}, 1_000)
