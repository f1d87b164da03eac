import { createWorldSdk } from '../../js/sdk/world-runtime.js'
import { namesOf } from './names.js'
import { panelOf, tableOf } from './panels.js'
import { followPage } from './shared/follow.js'

function at(id) {
  return document.getElementById(id)
}

/** More lines than this are unreadable. */
const MOST_PANELS = 48

let streams = []
let left = 0
let panels = []
let names = []
/** Voices of the page, where it has a transport. */
let voices

function show() {
  names = namesOf(streams, voices)
  const asTable = at('table').getAttribute('aria-pressed') === 'true'
  panels = asTable ? [] : streams.map((stream, place) => panelOf(stream, place, names[place]))
  at('panels').replaceChildren(
    ...(asTable ? [tableOf(streams, names)] : panels.map(({ figure }) => figure)),
    ...rest(),
  )
  mark()
}

function rest() {
  if (left === 0) return []
  const note = Object.assign(document.createElement('p'), {
    className: 'soft',
    textContent: `and ${left} more streams`,
  })
  return [note]
}

function mark() {
  const step = Number(at('step').value)
  at('which').value = String(step)
  for (const panel of panels) panel.mark(step)
  at('step').setAttribute(
    'aria-valuetext',
    `Step ${step}: ${streams.map(({ data }, place) => `${names[place]} ${data[step] ?? 'nothing'}`).join(', ')}`,
  )
}

function moveTo(step) {
  at('step').value = String(step)
  mark()
}

at('step').addEventListener('input', mark)
at('table').addEventListener('click', () => {
  at('table').setAttribute('aria-pressed', String(at('table').getAttribute('aria-pressed') !== 'true'))
  show()
})
at('panels').addEventListener('pointermove', (event) => {
  const plot = event.target.closest('.plot')
  if (!plot) return
  const { left, width } = plot.getBoundingClientRect()
  moveTo(Math.round(((event.clientX - left) / width) * Number(at('step').max)))
})
at('controls').addEventListener('submit', (event) => event.preventDefault())

const sdk = createWorldSdk({ worldId: 'plain-chart' })
sdk.onState(({ payload, requestId }) => {
  const all = payload?.executeOutput ?? []
  streams = all.slice(0, MOST_PANELS)
  left = all.length - streams.length
  const steps = Math.max(1, ...streams.map(({ data }) => data.length))
  at('step').max = String(steps - 1)
  show()
  sdk.reportRendered(requestId)
})
let followed = 0
followPage(sdk, ({ step, voices: sounding }) => {
  // The page has a position of its own, and a table.
  at('controls').hidden = true
  if (sounding !== voices) {
    voices = sounding
    show()
  }
  // At rest too: a place that is chosen in the page is shown, and one that is pointed at here stays.
  if (step !== followed) moveTo(step)
  followed = step
})
sdk.ready()
