import { createWorldSdk } from '../../js/sdk/world-runtime.js'

const COLOURS = ['#93a7ff', '#ff8d8d', '#e8c24c', '#54d1b5', '#dba877', '#ea94d3']
const svg = /** @type {SVGSVGElement} */ (document.querySelector('svg'))
const sdk = createWorldSdk({ worldId: 'my-world' })

// The page sends what to draw: once the World is ready, and again at every change.
sdk.onState(({ payload, requestId }) => {
  const streams = payload?.executeOutput ?? []
  const drops = streams.flatMap(({ data }, stream) => {
    const most = Math.max(1, ...data)
    return data.map((value, step) => {
      const x = (100 * (step + 0.5)) / data.length
      const y = 95 - (90 * value) / most
      const radius = 0.6 + (2.4 * value) / most
      return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${COLOURS[stream % COLOURS.length]}" opacity="0.8"/>`
    })
  })
  svg.innerHTML = drops.join('')
  svg.setAttribute('aria-label', `${drops.length} drops of ${payload?.connectorName ?? 'no connector'}`)
  sdk.reportRendered(requestId)
})

sdk.ready()
