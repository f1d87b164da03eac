/* The way of all sound: samples with a level and a place, a room, and a ceiling under -1 dBFS. */

const MOST_MS_TO_WAKE = 10_000
/** -1.2 dBFS. */
const CEILING = 0.87
/** Up to here the ceiling changes nothing. */
const KNEE = 0.6
/** Beyond this many at a time the oldest gives way. */
const MOST_VOICES = 48

/**
 * The last of the way: whatever goes in, no sample comes out above the ceiling.
 *
 * @param {BaseAudioContext} context
 * @returns {{ input: AudioNode, room: AudioNode }} `room` gets what is to sound from a distance.
 */
export function createDesk(context) {
  const input = new GainNode(context, { gain: 0.9 })
  const room = new ConvolverNode(context, { buffer: roomOf(context) })
  const press = new DynamicsCompressorNode(context, {
    threshold: -14,
    knee: 8,
    ratio: 4,
    attack: 0.004,
    release: 0.22,
  })
  // A shaper takes what is between -1 and 1.
  const half = new GainNode(context, { gain: 0.25 })
  const curve = Float32Array.from({ length: 8193 }, (_, place) => {
    const value = ((place - 4096) / 4096) * 4
    const size = Math.abs(value)
    return (
      Math.sign(value) *
      (size < KNEE ? size : KNEE + (CEILING - KNEE) * Math.tanh((size - KNEE) / (CEILING - KNEE)))
    )
  })
  input.connect(press)
  room.connect(press)
  press.connect(half).connect(new WaveShaperNode(context, { curve })).connect(context.destination)
  return { input, room }
}

/** A small hall: noise that dies away, another one for each ear. */
function roomOf(context) {
  const { sampleRate } = context
  const length = Math.round(sampleRate * 1.5)
  const buffer = new AudioBuffer({ numberOfChannels: 2, length, sampleRate })
  for (const channel of [0, 1]) {
    const random = noise(channel + 5)
    const samples = buffer.getChannelData(channel)
    let low = 0
    for (let place = 0; place < length; place += 1) {
      const gone = place / length
      low += (random() - low) * (0.6 - 0.5 * gone)
      samples[place] = low * Math.exp(-5 * gone) * Math.min(1, place / 400) * (1 - gone)
    }
  }
  return buffer
}

/** Numbers of -1 to 1, the same for the same seed. */
export function noise(seed) {
  let state = (seed * 2_654_435_761) >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
}

/** Brings samples to a peak of 1, begins and ends them at 0. */
export function finished(samples, rate, attackSeconds = 0.0015) {
  const attack = Math.max(1, Math.round(rate * attackSeconds))
  const release = Math.min(samples.length, Math.round(rate * 0.05))
  let sum = 0
  for (const value of samples) sum += value
  const mean = sum / samples.length
  let peak = 0
  for (let place = 0; place < samples.length; place += 1) {
    const fade = Math.min(1, place / attack, (samples.length - 1 - place) / release)
    samples[place] = (samples[place] - mean) * fade
    peak = Math.max(peak, Math.abs(samples[place]))
  }
  if (peak > 0) for (let place = 0; place < samples.length; place += 1) samples[place] /= peak
  return samples
}

/**
 * Sounds samples that are computed once each.
 *
 * @param {(name: string | number, rate: number) => Float32Array} render
 */
export function openSound(render) {
  let context
  let desk
  const buffers = new Map()
  const live = new Set()

  function bufferOf(name) {
    const known = buffers.get(name)
    if (known) return known
    const samples = render(name, context.sampleRate)
    const buffer = new AudioBuffer({ length: samples.length, sampleRate: context.sampleRate })
    buffer.copyToChannel(samples, 0)
    buffers.set(name, buffer)
    return buffer
  }

  function release(voice, when, seconds) {
    if (!live.delete(voice)) return
    voice.level.gain.cancelScheduledValues(when)
    voice.level.gain.setTargetAtTime(0, when, seconds / 4)
    voice.source.stop(when + seconds * 2)
  }

  return {
    /**
     * Only after a click or a key may a page sound.
     *
     * @param {() => void} [taken] Called when the system takes the sound away: a call, a lock.
     */
    wake(taken) {
      context ??= new AudioContext()
      desk ??= createDesk(context)
      let isWaking = true
      const look = () => !isWaking && context.state !== 'running' && taken?.()
      const woken = () => {
        isWaking = false
        look()
      }
      context.onstatechange = look
      context.resume().then(woken, woken)
      setTimeout(woken, MOST_MS_TO_WAKE)
    },
    time: () => context?.currentTime ?? 0,
    /** Computes what will sound, while nothing has to. */
    prepare(names) {
      if (context) for (const name of names) bufferOf(name)
    },
    /**
     * @param {number} [when] Seconds of `time`; now by default.
     * @param {object} [how]
     * @param {number} [how.loud] 0 to 1.
     * @param {number} [how.place] -1, left, to 1, right.
     * @param {number} [how.rate] Faster is higher.
     * @param {number} [how.room] Share that sounds from a distance.
     * @param {number} [how.bright] Highest frequency.
     * @param {number} [how.seconds] After which it is damped.
     */
    strike(
      name,
      when = context?.currentTime,
      { loud = 1, place = 0, rate = 1, room = 0.15, bright, seconds } = {},
    ) {
      if (!context) return
      if (live.size >= MOST_VOICES) release(live.values().next().value, context.currentTime, 0.06)
      const source = new AudioBufferSourceNode(context, { buffer: bufferOf(name), playbackRate: rate })
      const level = new GainNode(context, { gain: loud })
      const pan = new StereoPannerNode(context, { pan: place })
      const voice = { source, level }
      const last = bright
        ? source.connect(
            new BiquadFilterNode(context, {
              type: 'lowpass',
              frequency: Math.min(bright, context.sampleRate / 2.2),
              Q: 0.3,
            }),
          )
        : source
      last.connect(level).connect(pan).connect(desk.input)
      if (room > 0) pan.connect(new GainNode(context, { gain: room })).connect(desk.room)
      source.onended = () => {
        live.delete(voice)
        pan.disconnect()
      }
      live.add(voice)
      source.start(when)
      if (seconds !== undefined) {
        level.gain.setTargetAtTime(0, when + seconds, 0.09)
        source.stop(when + seconds + 0.8)
      }
    },
    /** Ends what sounds, without a click. */
    hush() {
      if (context) for (const voice of [...live]) release(voice, context.currentTime, 0.12)
    },
  }
}
