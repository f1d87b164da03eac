import snapshot from '../../contracts/gas-snapshot.json' with { type: 'json' }
import type { BenchChain } from '../network/chain.ts'
import { figure } from '../support/format.ts'
import type { Report } from '../support/report.ts'

/** Gas a particle at N = 1,000, and the largest N in 30M gas, of the network whose connectors mean the same here. */
const ORIGINAL = {
  S1: { particle: 1_821, fits: 11_299 },
  S3: { particle: 5_013, fits: 4_586 },
  C3: { particle: 3_760, fits: undefined },
  S3C3: { particle: 10_831, fits: 2_620 },
  D3: { particle: 9_088, fits: 3_114 },
  G100: { particle: 51_192, fits: 564 },
  W12: { particle: 22_726, fits: 1_250 },
  T27: { particle: 92_648, fits: 411 },
} as const
const ORIGINAL_PUBLICATION = {
  transformation: 570_000,
  'connector, one call': 3_270_000,
  'connector, three dimensions': 3_680_000,
  'connector, twelve dimensions': 5_600_000,
  'connector, 24 dimensions': 8_200_000,
} as const

const BLOCK_GAS = 30_000_000
/** Most gas of a transaction since Osaka, of blocks of before, and calls of nodes that allow much. */
const LIMITS = [16_777_216, BLOCK_GAS, 50_000_000, 550_000_000] as const
/** More than any shape fits in the largest. */
const MOST_PARTICLES = 2 ** 23

/** Costs of runs and publications on chain: of the snapshot, which a test holds the contracts to, and searched for. */
export async function gas(report: Report, chain: BenchChain): Promise<void> {
  report.heading('Gas')
  const rows: string[][] = []
  const share = new Map<string, number>()
  const largest = new Map<string, number>()
  const fits: string[][] = []
  for (const [shape, original] of Object.entries(ORIGINAL)) {
    const ours = snapshot.generate[shape as keyof typeof ORIGINAL]['1000'] / 1000
    share.set(shape, ours / original.particle)
    const counts = new Map<number, number>()
    for (const limit of LIMITS) counts.set(limit, await largestRun(chain, shape, limit))
    largest.set(shape, counts.get(BLOCK_GAS)!)
    fits.push([shape, ...[...counts.values()].map((count) => count.toLocaleString('en-US'))])
    rows.push([
      shape,
      figure(ours),
      figure(original.particle),
      `${(original.particle / ours).toFixed(1)}x`,
      largest.get(shape)!.toLocaleString('en-US'),
      original.fits?.toLocaleString('en-US') ?? '–',
    ])
  }
  report.table(['run', 'a particle at 1,000', 'original', 'less', 'largest N in 30M gas', 'original'], rows)
  report.table(['largest N in', ...LIMITS.map((limit) => `${limit.toLocaleString('en-US')} gas`)], fits)
  const published = Object.entries(ORIGINAL_PUBLICATION).map(([label, original]) => {
    const ours = snapshot.publish[label as keyof typeof ORIGINAL_PUBLICATION]
    return { label, ours, original, share: ours / original }
  })
  report.table(
    ['publication', 'gas', 'original', 'of it'],
    published.map((each) => [
      each.label,
      each.ours.toLocaleString('en-US'),
      each.original.toLocaleString('en-US'),
      `${(each.share * 100).toFixed(1)} %`,
    ]),
  )
  for (const shape of ['S1', 'S3C3', 'T27'] as const) {
    const ours = Math.round(snapshot.generate[shape]['1000'] / 1000)
    report.goal(
      `gas${shape}`,
      share.get(shape)!,
      `${figure(ours)} against ${figure(ORIGINAL[shape].particle)}`,
    )
    report.goal(
      `fits${shape}`,
      largest.get(shape)!,
      `original ${ORIGINAL[shape].fits.toLocaleString('en-US')}; searched with eth_call`,
    )
  }
  const labels = {
    publishOne: 'connector, one call',
    publishThree: 'connector, three dimensions',
    publishMany: 'connector, 24 dimensions',
    publishCode: 'transformation',
  } as const
  for (const [id, label] of Object.entries(labels) as [keyof typeof labels, string][]) {
    const { ours, original, share: part } = published.find((each) => each.label === label)!
    report.goal(id, part, `${figure(ours)} against ${figure(original)} gas`)
  }
}

/** The most particles that a call with so much gas returns. */
async function largestRun(chain: BenchChain, shape: string, gas: number): Promise<number> {
  const fits = async (count: number) => {
    const answer = await chain.send(chain.request(shape, count, [], gas))
    return !answer[0]!.subarray(0, 200).includes('"error"')
  }
  let low = 1
  let high = 1
  while (high < MOST_PARTICLES && (await fits(high))) {
    low = high
    high *= 2
  }
  while (high - low > Math.max(1, low / 512)) {
    const middle = (low + high) >>> 1
    if (await fits(middle)) low = middle
    else high = middle
  }
  return low
}
