import { readFileSync } from 'node:fs'
import type { Page, Request } from 'playwright'
import { createChainClient } from '../../lib/client/chain.ts'
import { publish } from '../../lib/client/publish.ts'
import { launchBrowser, WITHOUT_GPU } from '../../scripts/browser/launch.ts'
import { devAccount } from '../../scripts/stack/contracts.ts'
import type { BenchProgram } from '../network/program.ts'
import { figure, kilobytes, ms } from '../support/format.ts'
import { median } from '../support/measure.ts'
import type { Report } from '../support/report.ts'

/** Ten entities with those of weave. */
const CONNECTOR = 'loom'
/** 1,024 values and a few more, on its three paths. */
const PARTICLES = 342
const RUNS = 5

interface Proven {
  /** From the press to the sentence. */
  readonly ms: number
  /** Bytes on the wire between the two, and of what came from the node. */
  readonly bytes: number
  readonly ofNode: number
  readonly certificate: string
}

/**
 * A proof in the reader's browser: each time a new visitor presses Prove on the page of a run, and the proof is loaded,
 * collected past the site, checked on a thread and written.
 */
export async function proof(report: Report, program: BenchProgram): Promise<void> {
  const { endpoints } = program
  report.heading('Proof of a run in the browser')
  await program.post('/connector', {
    name: CONNECTOR,
    dimensions: [{ transformations: [{ name: 'add', args: [2] }], composite: 'weave' }],
  })
  await publish(createChainClient(endpoints.chainApi), devAccount(1), { kind: 'connector', name: CONNECTOR })
  const browser = await launchBrowser(WITHOUT_GPU)
  try {
    const proven: Proven[] = []
    for (let run = 0; run < RUNS; run++) {
      const context = await browser.newContext({ reducedMotion: 'reduce' })
      const page = await context.newPage()
      await page.goto(`${endpoints.site}/run/${CONNECTOR}?count=${PARTICLES}&at=newest`)
      proven.push(await prove(page, endpoints.chainRpc))
      await context.close()
    }
    const { certificate } = proven[0]!
    const { entities } = JSON.parse(certificate) as { entities: unknown[] }
    const most = (of: (each: Proven) => number) => Math.max(...proven.map(of))
    report.line(
      `${CONNECTOR}, a tree of ${entities.length} entities, ${figure(PARTICLES)} particles on three paths, ${RUNS} first visits: proven after ` +
        `${ms(median(proven.map((each) => each.ms)))} (median), ${ms(most((each) => each.ms))} at most, with ` +
        `${kilobytes(most(({ bytes }) => bytes))} on the wire, ${kilobytes(most(({ ofNode }) => ofNode))} of them from the node. ` +
        `The certificate has ${kilobytes(certificate.length)}.`,
    )
    const about = `a tree of ${entities.length} entities, worst of ${RUNS}`
    report.goal(
      'proofTime',
      most((each) => each.ms),
      about,
    )
    report.goal(
      'proofWeight',
      most(({ bytes }) => bytes),
      about,
    )
    report.goal('certificateSize', certificate.length, about)
  } finally {
    await browser.close()
  }
}

async function prove(page: Page, chainRpc: string): Promise<Proven> {
  const button = page.getByRole('button', { name: 'Prove', exact: true })
  await button.waitFor()
  await page.getByRole('checkbox', { name: new URL(chainRpc).host }).waitFor()
  await page.waitForLoadState('networkidle')
  const requests: Request[] = []
  page.on('requestfinished', (request) => requests.push(request))
  const began = performance.now()
  await button.click()
  await page.getByText(/^Proven:/).waitFor()
  const taken = performance.now() - began
  const sized = requests.splice(0)
  let [bytes, ofNode] = [0, 0]
  for (const request of sized) {
    if (!request.url().startsWith('http')) continue
    const { responseBodySize } = await request.sizes()
    bytes += responseBodySize
    if (new URL(request.url()).origin === new URL(chainRpc).origin) ofNode += responseBodySize
  }
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download certificate' }).click(),
  ])
  return { ms: taken, bytes, ofNode, certificate: readFileSync(await download.path(), 'utf8') }
}
