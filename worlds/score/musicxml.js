/* A score as MusicXML 4.0, which every notation program reads. */
import { MEASURE, spell } from './measures.js'

const LETTERS = 'CDEFGAB'
const TYPES = { 16: 'whole', 8: 'half', 4: 'quarter', 2: 'eighth', 1: '16th' }
const CLEFS = { treble: ['G', 2], bass: ['F', 4] }

/** @param {number} tempo Quarters a minute. @returns {string} */
export function musicXml({ staves, measures }, title, tempo) {
  const body = Array.from({ length: measures }, (_, number) => {
    const parts = staves.map(({ measures: all }, staff) => signs(all, number, staff + 1))
    return `<measure number="${number + 1}">${number === 0 ? attributes(staves, tempo) : ''}${parts.join(
      `<backup><duration>${MEASURE}</duration></backup>`,
    )}</measure>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" "partwise.dtd">
<score-partwise version="4.0"><work><work-title>${escaped(title)}</work-title></work>
<part-list><score-part id="P1"><part-name>Piano</part-name></score-part></part-list>
<part id="P1">
${body.join('\n')}
</part></score-partwise>
`
}

function attributes(staves, tempo) {
  const clefs = staves.map(({ clef }, staff) => {
    const [sign, line] = CLEFS[clef]
    return `<clef number="${staff + 1}"><sign>${sign}</sign><line>${line}</line></clef>`
  })
  return `<attributes><divisions>4</divisions><key><fifths>0</fifths></key><time><beats>4</beats><beat-type>4</beat-type></time><staves>${
    staves.length
  }</staves>${clefs.join('')}</attributes><sound tempo="${tempo}"/>`
}

function signs(measures, number, staff) {
  return measures[number]
    .map((sign, index) => {
      const before = measures[number][index - 1] ?? measures[number - 1]?.at(-1)
      const ties = [before?.tied && sign.pitches.length > 0 ? 'stop' : '', sign.tied ? 'start' : ''].filter(
        Boolean,
      )
      return sign.pitches.length === 0
        ? note(sign, staff, ['<rest/>', ''], [])
        : sign.pitches
            .map((pitch, place) => note(sign, staff, [pitched(pitch), place > 0 ? '<chord/>' : ''], ties))
            .join('')
    })
    .join('')
}

function pitched(pitch) {
  const { letter, alter, octave } = spell(pitch)
  const altered = alter === 0 ? '' : `<alter>${alter}</alter>`
  return `<pitch><step>${LETTERS[letter]}</step>${altered}<octave>${octave}</octave></pitch>`
}

function note({ length }, staff, [what, chord], ties) {
  const dotted = TYPES[length] === undefined
  const type = TYPES[dotted ? (length / 3) * 2 : length]
  const tied = ties.map((each) => `<tied type="${each}"/>`).join('')
  return `<note>${chord}${what}<duration>${length}</duration>${ties.map((each) => `<tie type="${each}"/>`).join('')}<voice>${staff}</voice><type>${type}</type>${
    dotted ? '<dot/>' : ''
  }<staff>${staff}</staff>${tied && `<notations>${tied}</notations>`}</note>`
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
