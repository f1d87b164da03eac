/*
 * The synthesizer: voices of two oscillators, each with a filter and an envelope, into an echo, a room and the volume.
 * No gain ever jumps, so that nothing clicks: envelopes start at nought, and controls glide.
 */

const GLIDE_SECONDS = 0.02
const ROOM_SECONDS = 2.2
const MOST_MS_TO_WAKE = 10_000

/** @returns {object} A machine; only after a click or a key may a page sound. */
export function createMachine() {
  const audio = new AudioContext()
  const gain = (value) => new GainNode(audio, { gain: value })
  const input = gain(1)
  const volume = gain(0)
  const analyser = new AnalyserNode(audio, { fftSize: 2048 })
  const limiter = new DynamicsCompressorNode(audio, { threshold: -16, ratio: 8, attack: 0.003 })
  const delay = new DelayNode(audio, { maxDelayTime: 2, delayTime: 0.3 })
  const [echo, again, room] = [gain(0), gain(0.4), gain(0)]
  input.connect(limiter)
  // Each repetition is darker than the one before.
  const darker = new BiquadFilterNode(audio, { type: 'lowpass', frequency: 2800 })
  input.connect(echo).connect(delay).connect(darker).connect(again).connect(delay)
  darker.connect(limiter)
  input
    .connect(room)
    .connect(new ConvolverNode(audio, { buffer: roomOf(audio) }))
    .connect(limiter)
  limiter.connect(volume).connect(analyser).connect(audio.destination)
  const glide = (param, value) => param.setTargetAtTime(value, audio.currentTime, GLIDE_SECONDS)
  const filters = new Set()
  let settings

  return {
    analyser,
    clock: () => audio.currentTime,
    /** @param {() => void} taken Called when the system takes the sound away: a call, a lock. */
    async wake(taken) {
      const late = new Promise((resolve) => setTimeout(resolve, MOST_MS_TO_WAKE))
      await Promise.race([audio.resume(), late]).catch(() => {})
      const look = () => audio.state !== 'running' && audio.state !== 'closed' && taken()
      audio.onstatechange = look
      look()
    },
    /** Takes settings of 0 to 1, and the length of a sixteenth in seconds; what sounds follows. */
    set(next) {
      settings = next
      glide(volume.gain, next.volume ** 2)
      glide(echo.gain, next.echo * 0.7)
      glide(again.gain, 0.2 + next.echo * 0.5)
      glide(room.gain, next.room * 0.9)
      glide(delay.delayTime, Math.min(2, next.sixteenth * 3))
      for (const { filter, frequency } of filters) {
        glide(filter.frequency, cutoffOf(next, frequency))
        glide(filter.Q, next.resonance * 18)
      }
    },
    /** Fades out and ends. */
    end() {
      glide(volume.gain, 0)
      setTimeout(() => audio.close(), 150)
    },
    /** @param {number} at Seconds of `clock`. @param {number} seconds How long the key is held. */
    play({ pitch, velocity }, at, seconds) {
      const frequency = 440 * 2 ** ((pitch - 69) / 12)
      const attack = 0.004 + settings.attack ** 2 * 1.2
      const release = 0.03 + settings.release ** 2 * 2.5
      const loud = (velocity / 127) ** 1.4 * LOUDNESS[settings.wave]
      const envelope = gain(0)
      envelope.gain.setValueAtTime(0, at)
      envelope.gain.linearRampToValueAtTime(loud, at + attack)
      envelope.gain.setTargetAtTime(loud * 0.6, at + attack, 0.25)
      const up = at + Math.max(seconds, attack)
      envelope.gain.setTargetAtTime(0, up, release / 5)
      const filter = new BiquadFilterNode(audio, {
        type: 'lowpass',
        frequency: cutoffOf(settings, frequency),
        Q: settings.resonance * 18,
      })
      // Opens with the attack and closes behind it: what makes a tone speak.
      filter.detune.setValueAtTime(1400 * (velocity / 127), at)
      filter.detune.setTargetAtTime(0, at + attack, 0.12)
      filter.connect(envelope).connect(input)
      const voice = { filter, frequency }
      filters.add(voice)
      for (const detune of [-6, 6]) {
        const oscillator = new OscillatorNode(audio, { type: settings.wave, frequency, detune })
        oscillator.connect(filter)
        oscillator.start(at)
        // Eight time constants below: nothing that the end could cut audibly.
        oscillator.stop(up + release * 1.6)
        oscillator.onended = () => {
          filters.delete(voice)
          envelope.disconnect()
        }
      }
    },
  }
}

/** So that a square is not twice as loud as a sine. */
const LOUDNESS = { sine: 0.34, triangle: 0.34, sawtooth: 0.17, square: 0.14 }

/** Follows the pitch, so that high notes are not swallowed. */
function cutoffOf({ cutoff }, frequency) {
  return Math.min(18_000, frequency * 1.2 + 60 * 2 ** (cutoff * 8))
}

/** The answer of a room: noise that dies away. */
function roomOf(audio) {
  const length = Math.round(audio.sampleRate * ROOM_SECONDS)
  const buffer = new AudioBuffer({ length, numberOfChannels: 2, sampleRate: audio.sampleRate })
  for (let channel = 0; channel < 2; channel += 1) {
    const samples = buffer.getChannelData(channel)
    for (let at = 0; at < length; at += 1) samples[at] = (Math.random() * 2 - 1) * (1 - at / length) ** 3
  }
  return buffer
}
