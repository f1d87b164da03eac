import { startRpcProxy } from '#test/support/rpc-proxy.ts'
import type { BenchProgram } from '../network/program.ts'
import { ms } from '../support/format.ts'
import { httpClient } from '../support/http-client.ts'
import { median } from '../support/measure.ts'
import type { Options, Report } from '../support/report.ts'

/** One way to a node on another continent and back. */
const FAR_MS = 100
const REQUESTS_A_ROUND = 5
const NAMES = { body: 'bench_prepare_body', connector: 'bench_prepare_connector' }

/** Requests to the node while a publication is prepared, and how long that takes where the node is far. */
export async function prepare(report: Report, program: BenchProgram, { rounds }: Options): Promise<void> {
  await program.post('/transformation', { name: NAMES.body, sol_src: 'return x + args[0];' })
  const dimensions = [{ transformations: [{ name: 'add', args: [1] }] }]
  await program.post('/connector', { name: NAMES.connector, dimensions })
  const node = await startRpcProxy(program.endpoints.chainRpc)
  node.delayMs = FAR_MS
  let requests = 0
  node.refuse = () => {
    requests += 1
    return undefined
  }
  const site = await program.startNext(node.url)
  const client = httpClient(site.origin)
  try {
    report.heading(`prepare, the node ${FAR_MS} ms away`)
    const rows: string[][] = []
    let worst = 0
    for (const [kind, name] of [
      ['transformation', NAMES.body],
      ['connector', NAMES.connector],
    ] as const) {
      for (const relay of [false, true]) {
        const [taken, counts]: [number[], number[]] = [[], []]
        for (let turn = 0; turn < (rounds + 1) * REQUESTS_A_ROUND; turn++) {
          const before = requests
          const begun = performance.now()
          const body = JSON.stringify({ name, relay })
          const headers = { authorization: `Bearer ${program.token()}` }
          const { status, chunks } = await client.request(
            'POST',
            `/chain/publish/${kind}/prepare`,
            body,
            headers,
          )
          if (status !== 200) throw new Error(`${status} ${Buffer.concat(chunks).toString().slice(0, 500)}`)
          // The first round warms up.
          if (turn < REQUESTS_A_ROUND) continue
          taken.push(performance.now() - begun)
          counts.push(requests - before)
        }
        worst = Math.max(worst, median(counts))
        rows.push([`${kind}${relay ? ', with relay' : ''}`, String(median(counts)), ms(median(taken))])
      }
    }
    report.table(['publication', 'requests to the node', 'p50'], rows)
    report.goal('prepare', worst, `the most of ${rows.length} publications`)
  } finally {
    client.close()
    await site.close()
    await node.close()
  }
}
