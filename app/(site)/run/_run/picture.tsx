import type { RunLink } from '../../../../lib/protocol/run-link.ts'
import { counted, formatInteger } from '../../../../lib/ui/components/format.ts'
import { downsample, extentOf, valueRange } from '../../../../lib/ui/components/series.ts'
import type { RunForPage } from '../../../../lib/views/run-page.ts'

export const PICTURE = { width: 1200, height: 630 } as const

/** Colours of the light theme: an embedded picture cannot know the reader's. */
const GROUND = '#f5f6f4'
const INK = '#171a2e'
const SOFT = '#4e5268'
const LINE = '#d8dbd5'
const THREADS = ['#3450b4', '#b3283f', '#0c7562', '#856500', '#93307c', '#80502a']

const PLOT = { width: 1072, height: 300 }

/** The preview image of a shared run. */
export function Picture({ link, result: { run } }: { link: RunLink; result: RunForPage }) {
  const { connector, count, block, dynamicRi } = link
  const facts = [
    counted(count, 'particle'),
    ...(run.state === 'particles' ? [counted(run.paths, 'path')] : []),
    ...(dynamicRi.length > 0 ? [`${counted(dynamicRi.length, 'start')} set`] : []),
    block ? `on chain, block ${formatInteger(block.number)}` : 'simulated',
  ]
  return (
    <div
      style={{
        width: '100%',
        height: '100%',
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'space-between',
        padding: '52px 64px',
        background: GROUND,
        color: INK,
      }}
    >
      <div style={{ display: 'flex', flexDirection: 'column' }}>
        <div style={{ display: 'flex', fontSize: nameSize(connector), letterSpacing: '-0.02em' }}>
          {connector.length > 64 ? `${connector.slice(0, 63)}…` : connector}
        </div>
        <div style={{ display: 'flex', marginTop: 10, fontSize: 30, color: SOFT }}>{facts.join('  ·  ')}</div>
      </div>
      {run.state === 'particles' ? (
        // biome-ignore lint/performance/noImgElement: this is drawn, not delivered
        <img
          alt=""
          width={PLOT.width}
          height={PLOT.height}
          src={`data:image/svg+xml;base64,${Buffer.from(plots(run.streams.map(({ data }) => data))).toString('base64')}`}
        />
      ) : (
        <div style={{ display: 'flex', fontSize: 44, color: SOFT }}>
          {run.state === 'rejected' ? 'The run stops: no particles' : 'No particles to show'}
        </div>
      )}
      <div
        style={{
          display: 'flex',
          justifyContent: 'space-between',
          borderTop: `3px solid ${INK}`,
          paddingTop: 14,
          fontSize: 28,
        }}
      >
        <div style={{ display: 'flex' }}>Weft</div>
        <div style={{ display: 'flex', color: SOFT }}>small functions, woven on chain</div>
      </div>
    </div>
  )
}

function nameSize(name: string): number {
  return Math.max(28, Math.min(76, Math.floor(1900 / Math.max(1, Math.min(64, name.length)))))
}

/** The first streams below each other, as many as there are threads. */
function plots(streams: readonly (readonly number[])[]): string {
  const shown = streams.slice(0, THREADS.length)
  const gap = 14
  const band = (PLOT.height - gap * (shown.length - 1)) / Math.max(1, shown.length)
  const lines = shown.map((data, index) => {
    const [low, high] = valueRange(extentOf(data))
    const { x, y } = downsample(data, PLOT.width / 2)
    const last = Math.max(1, data.length - 1)
    const top = index * (band + gap)
    const points = x.map(
      (step, at) =>
        `${((step / last) * PLOT.width).toFixed(1)} ${(top + (1 - (y[at]! - low) / (high - low)) * band).toFixed(1)}`,
    )
    if (points.length === 1) points.push(`${PLOT.width} ${points[0]!.split(' ')[1]}`)
    return (
      `<path d="M0 ${top + band}H${PLOT.width}" stroke="${LINE}" stroke-width="1"/>` +
      `<path d="M${points.join('L')}" stroke="${THREADS[index]}" stroke-width="4" stroke-linejoin="round" stroke-linecap="round"/>`
    )
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${PLOT.width}" height="${PLOT.height}" viewBox="-4 -4 ${PLOT.width + 8} ${PLOT.height + 8}" fill="none">${lines.join('')}</svg>`
}
