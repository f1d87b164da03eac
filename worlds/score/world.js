import { createWorldSdk } from '../../js/sdk/world-runtime.js'
import { engrave, pageOf, timeAt } from './engrave.js'
import { MEASURE, scoreOf } from './measures.js'
import { musicXml } from './musicxml.js'
import { heardNotes, notesOf } from './notes.js'
import { followPage } from './shared/follow.js'
import { clock, hush, playNote, wakeSynth } from './shared/synth.js'

const AHEAD_SECONDS = 0.15
function at(id) {
  return document.getElementById(id)
}
const canvas = at('score')

let streams = []
let bindings
let score = scoreOf([])
let page
/** What sounds: the chords of both staves, ties joined. */
let notes = []
let end = 0
let name = ''
/** In sixteenths. */
let position = 0
/** While playing: when position 0 was or would have been, and the next note to be sounded. */
let playing
/** What the page sent last of its sound; undefined without a transport. */
let followed

function sixteenthSeconds() {
  return 60 / Number(at('tempo').value) / 4
}
/** Draws the score, laid out anew where it or the size of the canvas is another: a clip draws thirty times a second. */
function draw() {
  const { clientWidth, clientHeight } = canvas
  if (page?.width !== clientWidth || page.height !== clientHeight) page = pageOf(canvas, score)
  engrave(canvas, score, page, { position, playing: playing !== undefined || followed?.playing === true })
}

function play() {
  if (notes.length === 0 || followed) return
  wakeSynth(() => playing && pause())
  if (position >= end) position = 0
  const next = notes.findIndex(({ start }) => start >= position)
  playing = { zero: clock() + 0.06 - position * sixteenthSeconds(), next: next < 0 ? notes.length : next }
  label('Pause', true)
  turn()
}

function pause() {
  playing = undefined
  hush()
  label('Play', false)
  draw()
}

function label(text, pressed) {
  at('play').textContent = text
  at('play').setAttribute('aria-pressed', String(pressed))
}

/** Sounds what comes next, slightly ahead of time, and draws where we are. */
function turn() {
  if (!playing) return
  const sixteenth = sixteenthSeconds()
  const now = clock()
  for (; playing.next < notes.length; playing.next += 1) {
    const note = notes[playing.next]
    const when = playing.zero + note.start * sixteenth
    if (when > now + AHEAD_SECONDS) break
    playNote(note, Math.max(now, when), note.length * sixteenth)
  }
  position = Math.min(end, Math.max(0, (now - playing.zero) / sixteenth))
  if (position < end) {
    at('position').value = String(position)
    draw()
    requestAnimationFrame(turn)
    return
  }
  position = 0
  at('position').value = '0'
  // Rings out before the sound is taken away.
  playing = undefined
  label('Play', false)
  draw()
}

function seek(to) {
  if (followed) return
  const went = playing !== undefined
  if (went) pause()
  position = Math.max(0, Math.min(end - 1, to))
  at('position').value = String(position)
  if (went) play()
  else draw()
}

at('play').addEventListener('click', () => (playing ? pause() : play()))
at('position').addEventListener('input', () => seek(Number(at('position').value)))
at('tempo').addEventListener('input', () => {
  at('beats').value = at('tempo').value
  if (playing) seek(position)
})
canvas.addEventListener('pointerdown', ({ offsetX, offsetY }) =>
  seek(timeAt(page, position, offsetX, offsetY)),
)
at('controls').addEventListener('submit', (event) => event.preventDefault())
at('save').addEventListener('click', () => {
  const link = document.createElement('a')
  const xml = musicXml(score, name || 'Engraved score', Number(at('tempo').value))
  link.href = URL.createObjectURL(new Blob([xml], { type: 'application/vnd.recordare.musicxml+xml' }))
  link.download = `${name || 'score'}.musicxml`
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
})
new ResizeObserver(draw).observe(canvas)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)

const sdk = createWorldSdk({ worldId: 'score' })
/** Engraves a run, or what the page sounds of it. */
function take() {
  const found = followed?.voices ? heardNotes(streams, followed.voices) : notesOf(streams, bindings)
  notes = found.notes
  score = scoreOf(notes)
  end = notes.length > 0 ? score.measures * MEASURE : 0
  position = Math.min(position, Math.max(0, end - 1))
  at('position').max = String(Math.max(0, end - 1))
  at('position').value = String(position)
  const left = found.left > 0 ? `; ${found.left} more are too far away to engrave` : ''
  const staves = score.staves.length === 2 ? 'two staves' : 'one staff'
  canvas.setAttribute(
    'aria-label',
    `${notes.length} notes of ${name} in ${score.measures} measures on ${staves}${left}`,
  )
  page = undefined
  draw()
}

sdk.onState(({ payload, requestId }) => {
  if (playing) pause()
  streams = payload?.executeOutput ?? []
  bindings = payload?.connectorBindings
  name = payload?.connectorName ?? ''
  position = 0
  take()
  sdk.reportRendered(requestId)
})
followPage(sdk, (transport) => {
  if (!followed) {
    if (playing) pause()
    for (const id of ['play', 'position', 'tempo']) (at(id).closest('label') ?? at(id)).hidden = true
  }
  const isNew = transport.voices !== followed?.voices
  followed = transport
  position = Math.min(transport.position, Math.max(0, end - 1))
  if (isNew) take()
  else draw()
})
draw()
sdk.offerCapture(canvas, draw)
sdk.ready()
