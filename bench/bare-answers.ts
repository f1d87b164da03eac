/**
 * The least that can answer: Node's HTTP server and a map of prepared bytes. Standard input brings one line of JSON:
 * path to headers and body. The baseline of the reads.
 */
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

interface Answer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

createInterface(process.stdin).once('line', (line) => {
  const answers = new Map(
    Object.entries(JSON.parse(line) as Record<string, Answer>).map(
      ([path, { headers, body }]) => [path, { headers, bytes: Buffer.from(body) }] as const,
    ),
  )
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '')
    if (answer === undefined) {
      response.writeHead(200).end('ready')
      return
    }
    response.writeHead(200, { ...answer.headers, 'Content-Length': answer.bytes.length })
    response.end(answer.bytes)
  })
  server.listen(Number(process.argv[2]), '127.0.0.1')
})
