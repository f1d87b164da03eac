import { createWorldSdk } from '../../js/sdk/world-runtime.js'
import { drawRoll, viewOf } from './drawing.js'
import { midiFile } from './midi.js'
import { endOf, notesOf } from './notes.js'
import { followPage } from './shared/follow.js'
import { voicesOf } from './shared/notes.js'
import { clock, hush, playNote, wakeSynth } from './shared/synth.js'

const AHEAD_SECONDS = 0.15
function at(id) {
  return document.getElementById(id)
}
const canvas = at('roll')

let streams = []
let bindings
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
function draw() {
  return drawRoll(canvas, {
    notes,
    end,
    position,
    playing: playing !== undefined || followed?.playing === true,
  })
}

function play() {
  if (notes.length === 0 || followed) return
  wakeSynth(() => playing && pause())
  if (position >= end) position = 0
  playing = {
    zero: clock() + 0.06 - position * sixteenthSeconds(),
    next: notes.findIndex(({ start }) => start >= position),
  }
  if (playing.next < 0) playing.next = notes.length
  say('Pause', true)
  turn()
}

function pause() {
  playing = undefined
  hush()
  say('Play', false)
  draw()
}

function say(text, pressed) {
  at('play').textContent = text
  at('play').setAttribute('aria-pressed', String(pressed))
}

/** Sounds what comes next, slightly ahead of time, and draws where we are. */
function turn() {
  if (!playing) return
  const sixteenth = sixteenthSeconds()
  const now = clock()
  while (playing.next < notes.length) {
    const note = notes[playing.next]
    const when = playing.zero + note.start * sixteenth
    if (when > now + AHEAD_SECONDS) break
    playNote(note, Math.max(now, when), note.length * sixteenth)
    playing.next += 1
  }
  position = Math.min(end, Math.max(0, (now - playing.zero) / sixteenth))
  at('position').value = String(position)
  draw()
  if (position >= end) {
    position = 0
    at('position').value = '0'
    // Rings out before the sound is taken away.
    playing = undefined
    say('Play', false)
    draw()
  } else requestAnimationFrame(turn)
}

function seek(to) {
  if (followed) return
  const went = playing !== undefined
  if (went) pause()
  position = Math.max(0, Math.min(end, to))
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
canvas.addEventListener('pointerdown', (event) =>
  seek(Math.round(viewOf(canvas.clientWidth, end, position).at(event.offsetX))),
)
at('controls').addEventListener('submit', (event) => event.preventDefault())
at('save').addEventListener('click', () => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(
    new Blob([midiFile(notes, Number(at('tempo').value))], { type: 'audio/midi' }),
  )
  link.download = `${name || 'piano-roll'}.mid`
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
})
new ResizeObserver(draw).observe(canvas)

const sdk = createWorldSdk({ worldId: 'piano-roll' })
/** Shows a run, or what the page sounds of it. */
function take() {
  const found = followed?.voices
    ? {
        notes: voicesOf(streams, followed.voices)
          .voices.flat()
          .sort((a, b) => a.start - b.start),
        left: 0,
      }
    : notesOf(streams, bindings)
  notes = found.notes
  end = endOf(notes)
  position = Math.min(position, end)
  at('position').max = String(end)
  at('position').value = String(position)
  const far = found.left > 0 ? `; ${found.left} more are too far away to draw` : ''
  canvas.setAttribute('aria-label', `${notes.length} notes of ${name} over ${Math.ceil(end / 16)} bars${far}`)
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
  position = Math.min(transport.position, end)
  if (isNew) take()
  else draw()
})
draw()
sdk.offerCapture(canvas, draw)
sdk.ready()
