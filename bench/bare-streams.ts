/**
 * The least that can serve events to many readers: Node's HTTP server and a set of responses. The baseline of
 * `bench/streams.ts`: every line on standard input goes to every reader.
 */
import { createServer, type ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'

const readers = new Set<ServerResponse>()

const server = createServer((_, response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  response.write(': min_available_seq=0\n\nevent: stream_meta\ndata: {}\n\n')
  readers.add(response)
  response.once('close', () => readers.delete(response))
})
server.listen(Number(process.argv[2]), '127.0.0.1')

createInterface(process.stdin).on('line', (line) => {
  const { count, atMs } = JSON.parse(line) as { count: number; atMs: number }
  let text = ''
  for (let id = 1; id <= count; id++) {
    const data = {
      stream_seq: id,
      event_type: 'connector_added',
      status: 'removed',
      feed_id: `31337:connector_added:n${id}`,
      history_cursor: '000000000000001-00000000-00000000',
      created_at_ms: atMs,
      payload: { type: 'connector', name: `n${id}`, owner: `0x${'ab'.repeat(20)}` },
    }
    text += `id: ${id}\nevent: connector_added\ndata: ${JSON.stringify(data)}\n\n`
  }
  const bytes = new TextEncoder().encode(text)
  for (const reader of readers) reader.write(bytes)
})

process.once('SIGTERM', () => {
  for (const reader of readers) reader.end()
  server.close(() => process.exit(0))
})
