import { crc32, deflateSync } from 'node:zlib'
import { makeBundle } from './bundle.ts'
import type { Zip, ZipPart } from './zip.ts'

/* Small Worlds that really draw, for pages that show them. */

const PAGE = `<!doctype html><html lang="en"><title>Demo</title><style>
html, body { margin: 0; height: 100%; background: #12141f } svg { display: block; width: 100%; height: 100% }
p { position: absolute; left: 1rem; bottom: .5rem; margin: 0; font: 14px monospace; color: #cfd3e6 }
</style><svg viewBox="0 0 100 100" preserveAspectRatio="none"></svg><p>waiting</p>
<script type="module" src="world.js"></script>`

/** Every stream as a row of dots, with its input as text. */
const DOTS = `
import { createWorldSdk } from '../../js/sdk/world-runtime.js'
const sdk = createWorldSdk({ worldId: 'dots' })
const COLOURS = ['#93a7ff', '#ff8d8d', '#e8c24c', '#54d1b5', '#dba877', '#ea94d3']
sdk.onState(({ payload, requestId }) => {
  const streams = payload.executeOutput ?? []
  const most = Math.max(1, ...streams.flatMap(({ data }) => data))
  document.querySelector('svg').innerHTML = streams.flatMap(({ data }, row) => data.map((value, step) =>
    '<circle r="0.7" cx="' + (2 + 96 * step / Math.max(1, data.length - 1)) + '" cy="' + (97 - 94 * value / most) +
    '" fill="' + COLOURS[row % 6] + '"/>')).join('')
  document.querySelector('p').textContent =
    payload.connectorName + ' ' + payload.particlesCount + ' ' + JSON.stringify(streams[0]?.data.slice(0, 3))
  sdk.reportRendered(requestId)
})
sdk.ready()
`

/** In the place of its last line. */
const PICTURED = `
const canvas = document.createElement('canvas')
canvas.width = 1600
canvas.height = 800
const brush = canvas.getContext('2d')
brush.fillStyle = '#2040c0'
brush.fillRect(0, 0, 1600, 800)
sdk.offerCapture(canvas)
sdk.ready()
`

export interface DemoWorld {
  readonly slug: string
  readonly name?: string
  readonly version?: string
  readonly permissions?: readonly string[]
  readonly acceptedConnectorSets?: readonly unknown[]
  readonly acceptedFormatHashes?: readonly string[]
  readonly valueLimits?: unknown
  readonly shortDescription?: string
  /** Pictures of it can be taken: a blue canvas. */
  readonly pictured?: boolean
}

/** A bundle of a World that draws; without connectors or formats it takes any. */
export function demoWorld({ pictured = false, ...manifest }: DemoWorld, more: readonly ZipPart[] = []): Zip {
  return makeBundle(
    {
      acceptedConnectorSets: [],
      valueLimits: undefined,
      description: 'Every stream is a row of dots.\n\nThe further up, the larger the value.',
      ...manifest,
    },
    [
      { name: 'index.html', content: PAGE },
      {
        name: 'world.js',
        content: pictured ? DOTS.replace('sdk.ready()\n', PICTURED) : DOTS,
      },
      { name: 'preview.png', content: picture(), stored: true },
      ...more,
    ],
  )
}

/** A PNG of a few pixels: threads over a dark ground. */
export function picture(size = 64): Uint8Array {
  const rows: number[] = []
  for (let y = 0; y < size; y += 1) {
    rows.push(0)
    for (let x = 0; x < size; x += 1) {
      const thread = (x + Math.round(8 * Math.sin(y / 6))) % 16 < 3
      rows.push(...(thread ? [147, 167, 255] : (y * 3 + x) % 29 < 2 ? [232, 194, 76] : [18, 20, 31]))
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Uint8Array.from(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8 + body.length)
  frame.writeUInt32BE(data.length, 0)
  frame.set(body, 4)
  frame.writeUInt32BE(crc32(body), 4 + body.length)
  return frame
}
