/* Six small instruments, one for each ring, the outermost first. */

const MOST_MS_TO_WAKE = 10_000

let audio
let master
let noise

/**
 * Only after a click or a key may a page sound.
 *
 * @param {() => void} taken Called when the system takes the sound away: a call, a lock.
 */
export function wakeDrums(taken) {
  if (!audio) createDrums()
  let waking = true
  const look = () => !waking && audio.state !== 'running' && taken()
  const woken = () => {
    waking = false
    look()
  }
  audio.onstatechange = look
  audio.resume().then(woken, woken)
  setTimeout(woken, MOST_MS_TO_WAKE)
}

function createDrums() {
  audio = new AudioContext()
  master = new DynamicsCompressorNode(audio, { threshold: -14, ratio: 5 })
  master.connect(new GainNode(audio, { gain: 0.7 })).connect(audio.destination)
  noise = new AudioBuffer({ length: audio.sampleRate / 2, sampleRate: audio.sampleRate })
  const samples = noise.getChannelData(0)
  for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1
}

export function restDrums() {
  return audio?.suspend().catch(() => {})
}
export function drumClock() {
  return audio?.currentTime ?? 0
}

/** @param {number} ring Which instrument. @param {number} when Seconds of `drumClock`. */
export function strike(ring, when, loud) {
  INSTRUMENTS[ring % INSTRUMENTS.length](when, loud)
}

const INSTRUMENTS = [
  (when, loud) => tone(when, loud, { type: 'sine', from: 150, to: 46, seconds: 0.32 }),
  (when, loud) => hiss(when, loud * 0.35, { type: 'highpass', frequency: 7500, seconds: 0.07 }),
  (when, loud) => tone(when, loud * 0.5, { type: 'triangle', from: 820, to: 760, seconds: 0.09 }),
  (when, loud) => {
    hiss(when, loud * 0.5, { type: 'bandpass', frequency: 1900, seconds: 0.16 })
    tone(when, loud * 0.3, { type: 'triangle', from: 210, to: 160, seconds: 0.1 })
  },
  (when, loud) => tone(when, loud * 0.35, { type: 'sine', from: 1320, to: 1318, seconds: 0.5 }),
  (when, loud) => tone(when, loud * 0.5, { type: 'sine', from: 330, to: 240, seconds: 0.2 }),
]

function tone(when, loud, { type, from, to, seconds }) {
  const oscillator = new OscillatorNode(audio, { type, frequency: from })
  oscillator.frequency.setValueAtTime(from, when)
  oscillator.frequency.exponentialRampToValueAtTime(to, when + seconds / 2)
  sound(oscillator, when, loud, seconds)
}

function hiss(when, loud, { type, frequency, seconds }) {
  const source = new AudioBufferSourceNode(audio, { buffer: noise })
  const filter = new BiquadFilterNode(audio, { type, frequency })
  source.connect(filter)
  sound(source, when, loud, seconds, filter)
}

function sound(source, when, loud, seconds, last = source) {
  const envelope = new GainNode(audio, { gain: 0 })
  envelope.gain.setValueAtTime(loud, when)
  envelope.gain.exponentialRampToValueAtTime(0.0001, when + seconds)
  last.connect(envelope).connect(master)
  source.start(when)
  source.stop(when + seconds)
}
