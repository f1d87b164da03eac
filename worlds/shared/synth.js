/* A soft electric piano of two oscillators a note. */

const MOST_MS_TO_WAKE = 10_000

let audio
let master

/**
 * Only after a click or a key may a page sound.
 *
 * @param {() => void} taken Called when the system takes the sound away: a call, a lock.
 */
export function wakeSynth(taken) {
  if (!audio) {
    audio = new AudioContext()
    master = new DynamicsCompressorNode(audio, { threshold: -18, ratio: 6 })
    master.connect(new GainNode(audio, { gain: 0.5 })).connect(audio.destination)
  }
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

export function clock() {
  return audio?.currentTime ?? 0
}

/** @param {number} at Seconds of `clock`. @param {number} seconds How long the key is held. */
export function playNote({ pitch, velocity }, at, seconds) {
  const frequency = 440 * 2 ** ((pitch - 69) / 12)
  const loud = (velocity / 127) ** 1.5 * 0.4
  const end = at + seconds + 0.4
  const envelope = new GainNode(audio, { gain: 0 })
  envelope.gain.setValueAtTime(0, at)
  envelope.gain.linearRampToValueAtTime(loud, at + 0.006)
  envelope.gain.exponentialRampToValueAtTime(loud * 0.35, at + Math.max(0.05, seconds))
  envelope.gain.exponentialRampToValueAtTime(0.0001, end)
  const filter = new BiquadFilterNode(audio, { type: 'lowpass', frequency: Math.min(12_000, frequency * 5) })
  filter.connect(envelope).connect(master)
  for (const [type, ratio, gain] of [
    ['triangle', 1, 1],
    ['sine', 2.001, 0.25],
  ]) {
    const oscillator = new OscillatorNode(audio, { type, frequency: Math.min(18_000, frequency * ratio) })
    oscillator.connect(new GainNode(audio, { gain })).connect(filter)
    oscillator.start(at)
    oscillator.stop(end)
  }
}

/** Ends what is sounding. */
export function hush() {
  audio?.suspend()
  audio?.close()
  audio = undefined
}
