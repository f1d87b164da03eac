/* Notes to measures of four quarters: which sign stands where, and which are tied or beamed. */

export const MEASURE = 16
const BEAT = 4
const MIDDLE_C = 60
/** Letter (C is 0) and alteration of each of the twelve pitches. */
const SPELLING = [
  [0, 0],
  [0, 1],
  [1, 0],
  [2, -1],
  [2, 0],
  [3, 0],
  [3, 1],
  [4, 0],
  [4, 1],
  [5, 0],
  [6, -1],
  [6, 0],
]

/** @returns {{ letter: number, alter: number, octave: number, place: number }} `place` counts lines and spaces from C0. */
export function spell(pitch) {
  const [letter, alter] = SPELLING[pitch % 12]
  const octave = Math.floor(pitch / 12) - 1
  return { letter, alter, octave, place: octave * 7 + letter }
}

/**
 * The staves of a score, the upper first: one, or two where a note lies below middle C. Each is a list of measures,
 * each measure a list of signs that fill it: `pitches` of a chord (none for a rest), `start` and `length` in
 * sixteenths within the measure, whether it is tied to the next sign, and the number of its beam.
 */
export function scoreOf(notes) {
  const low = notes.filter(({ pitch }) => pitch < MIDDLE_C)
  const high = notes.filter(({ pitch }) => pitch >= MIDDLE_C)
  const voices = [
    { clef: 'treble', chords: chordsOf(high) },
    { clef: 'bass', chords: chordsOf(low) },
  ].filter(({ clef, chords }) => chords.length > 0 || (clef === 'treble' && low.length === 0))
  const end = voices.flatMap(({ chords }) => chords).reduce((last, each) => Math.max(last, each.end), 1)
  const measures = Math.ceil(end / MEASURE)
  return {
    measures,
    staves: voices.map(({ clef, chords }) => ({ clef, measures: measuresOf(chords, measures) })),
  }
}

/** One voice: what begins together is a chord, and it ends where the next one begins. */
function chordsOf(notes) {
  const chords = []
  for (const { pitch, start, length } of notes) {
    const last = chords.at(-1)
    if (last?.start === start) {
      last.end = Math.max(last.end, start + length)
      if (!last.pitches.includes(pitch)) last.pitches.push(pitch)
      continue
    }
    if (last) last.end = Math.min(last.end, start)
    chords.push({ start, end: start + length, pitches: [pitch] })
  }
  return chords
}

function measuresOf(chords, count) {
  const measures = Array.from({ length: count }, () => [])
  let now = 0
  const put = (pitches, end) => {
    while (now < end) {
      const start = now % MEASURE
      const left = Math.min(end - now, MEASURE - start)
      const length = signLength(start, left, pitches.length === 0)
      const tied = pitches.length > 0 && now + length < end
      measures[Math.floor(now / MEASURE)].push({ pitches, start, length, tied })
      now += length
    }
  }
  for (const { pitches, start, end } of chords) {
    put([], start)
    put(pitches, end)
  }
  put([], count * MEASURE)
  return measures.map(beamed)
}

/** The longest sign that fits and still shows the beats; a rest does not cross into one. */
function signLength(start, left, rest) {
  const onBeat = start % BEAT === 0
  const toBeat = BEAT - (start % BEAT)
  const readable = {
    16: start === 0,
    12: onBeat,
    8: onBeat,
    6: onBeat,
    4: onBeat || (start % 2 === 0 && !rest),
    3: onBeat || toBeat === 3,
    2: start % 2 === 0 || toBeat >= 2,
    1: true,
  }
  return [16, 12, 8, 6, 4, 3, 2, 1].find((length) => length <= left && readable[length])
}

/** Numbers the beams: eighths and shorter that stand side by side within a beat. */
function beamed(measure) {
  let beam = 0
  return measure.map((sign, index) => {
    const joins = (other) =>
      other !== undefined &&
      other.pitches.length > 0 &&
      other.length < BEAT &&
      Math.floor(other.start / BEAT) === Math.floor(sign.start / BEAT)
    if (!joins(sign)) return sign
    const [before, after] = [joins(measure[index - 1]), joins(measure[index + 1])]
    if (!before) beam += 1
    return before || after ? { ...sign, beam } : sign
  })
}
