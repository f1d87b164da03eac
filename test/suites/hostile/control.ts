import { workerData } from 'node:worker_threads'
import postgres from 'postgres'

/*
 * A heartbeat that no attack can disturb, from a separate thread: its delays are caused by the machine or the database,
 * and not attributed to the worker.
 */

const sql = postgres(workerData as string, { max: 1, onnotice: () => {} })
setInterval(() => {
  sql`insert into beats values ('control', clock_timestamp())`.catch(() => {})
}, 1_000)
