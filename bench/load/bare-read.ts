/**
 * The least that can answer a read: Node's HTTP server and one query by the key. The baseline of the reads of
 * `bench/load/main.ts`. Arguments: port; the database is in `DATABASE_URL`.
 */
import { createServer } from 'node:http'
import postgres from 'postgres'

const sql = postgres(process.env.DATABASE_URL ?? '', { max: 10 })

const server = createServer((request, response) => {
  const [, kind = '', name = ''] = /^\/chain\/(\w+)\/(\w+)$/.exec(request.url ?? '') ?? []
  sql<{ owner: string; body: object }[]>`
    select e.owner, a.body from entities e join artifacts a on a.content_hash = e.artifact_hash
    where e.kind = ${kind} and e.name = ${name}`.then(
    ([row]) => {
      const bytes = Buffer.from(JSON.stringify(row ?? {}))
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes.length })
      response.end(bytes)
    },
    () => response.writeHead(500).end(),
  )
})
server.listen(Number(process.argv[2]), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
