/* A plucked string: noise that goes round and round and loses its edges, after Karplus and Strong. */

const SECONDS = 2.2

let audio
let room
const sounds = new Map()

/** Only after a click or a key may a page sound. */
export function wakeStrings() {
  if (!audio) {
    audio = new AudioContext()
    room = new DynamicsCompressorNode(audio, { threshold: -20, ratio: 5 })
    room.connect(new GainNode(audio, { gain: 0.8 })).connect(audio.destination)
  }
  // While the system has the sound, it refuses; the next key tries again.
  audio.resume().catch(() => {})
}

/** Silent until the strings were woken. */
export function pluck(pitch, loud) {
  if (!audio) return
  const source = new AudioBufferSourceNode(audio, { buffer: soundOf(pitch) })
  // A period of whole samples is a little out of tune; so it is played a little faster or slower.
  source.playbackRate.value =
    (frequencyOf(pitch) * Math.max(2, Math.round(audio.sampleRate / frequencyOf(pitch)))) / audio.sampleRate
  source.connect(new GainNode(audio, { gain: loud })).connect(room)
  source.start()
}

function frequencyOf(pitch) {
  return 440 * 2 ** ((pitch - 69) / 12)
}

function soundOf(pitch) {
  const known = sounds.get(pitch)
  if (known) return known
  const rate = audio.sampleRate
  const length = Math.max(2, Math.round(rate / frequencyOf(pitch)))
  const sound = new AudioBuffer({ length: Math.round(rate * SECONDS), sampleRate: rate })
  const samples = sound.getChannelData(0)
  let last = 0
  for (let at = 0; at < samples.length; at += 1) {
    if (at < length) {
      last = last * 0.55 + (Math.random() * 2 - 1) * 0.45
      samples[at] = last
    } else {
      const before = samples[at - length] + samples[Math.max(0, at - length - 1)]
      samples[at] = before * 0.4985
    }
  }
  // The last tenth fades, so that no sound is cut off.
  const fade = Math.round(samples.length * 0.9)
  for (let at = fade; at < samples.length; at += 1)
    samples[at] *= (samples.length - at) / (samples.length - fade)
  sounds.set(pitch, sound)
  return sound
}
