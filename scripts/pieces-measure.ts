import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { arrange } from '#lib/engine/sound/arrangement.ts'
import { soundOf } from '#lib/engine/sound/presented-sound.ts'
import { writeWav } from '#lib/studio/sound/render.ts'
import { exampleNetwork, examplePieces } from './example-network/network.ts'
import { runsOffline } from './example-network/run-offline.ts'
import { measureNotes, measureSound, RATE, rendered } from './pieces/measures.ts'

/*
 * Renders each piece of the example network without a browser, and measures it.
 *
 *   npm run pieces:measure                 writes docs/pieces.md
 *   npm run pieces:measure -- --wav FOLDER writes each piece as a WAV as well
 *   npm run pieces:measure -- --only NAME  prints one
 */

const { values } = parseArgs({ options: { wav: { type: 'string' }, only: { type: 'string' } } })
const run = runsOffline(exampleNetwork)
const rows = examplePieces
  .filter(({ name }) => values.only === undefined || name === values.only)
  .map(({ name, title, consonant, present: { world, ...present } }) => {
    const streams = run(name, present.particles).map(({ path, data }) => ({ path, data: [...data] }))
    const arrangement = arrange(streams, soundOf(present))
    const channels = rendered(arrangement)
    if (values.wav !== undefined) {
      mkdirSync(values.wav, { recursive: true })
      const buffer = { length: channels[0].length, numberOfChannels: 2, sampleRate: RATE }
      const wav = writeWav({ ...buffer, getChannelData: (channel) => channels[channel]! as never })
      writeFileSync(join(values.wav, `${name}.wav`), wav)
    }
    const seconds = (arrangement.steps * 60) / present.tempo
    const sound = measureSound(channels, seconds)
    const notes = measureNotes(arrangement)
    const percent = (share: number) => `${Math.round(share * 100)} %`
    return [
      title,
      world,
      seconds.toFixed(0),
      sound.peak.toFixed(1),
      sound.loudness.toFixed(1),
      sound.dc.toFixed(2),
      sound.clicks,
      percent(sound.silence),
      sound.width.toFixed(0),
      notes.notes,
      notes.velocities,
      percent(notes.rests),
      `${percent(notes.dissonant)}${consonant ? ' \\*' : ''}`,
      notes.outside,
    ]
  })

const TABLE = fileURLToPath(new URL('../docs/pieces.md', import.meta.url))
const INTRODUCTION = `# The pieces of the example network, measured

\`npm run pieces:measure\` writes this page: each piece is rendered once without a browser, as its author's words have it, by the
synthesiser of the player. Loudness is integrated (ITU-R BS.1770-4). A click is a jump of the wave by itself. Silence is below
-60 dBFS. Width is what differs between left and right against what they share. Steps at rest are those at which no note begins.
Dissonant are seconds, sevenths and tritones among all intervals that sound together; a star marks pieces whose voices are
meant to sound without them. \`test/platform/pieces.test.ts\` holds a bound for each.
`
const HEAD = [
  ...['piece', 'World', 'seconds', 'peak dBFS', 'LUFS', 'DC ‰', 'clicks', 'silence', 'width dB'],
  ...['notes', 'velocities', 'steps at rest', 'dissonant', 'outside the scale'],
]
const markdown = [HEAD, HEAD.map((_, column) => (column < 2 ? '---' : '--:')), ...rows]
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n')
if (values.only !== undefined) console.log(markdown)
else writeFileSync(TABLE, `${INTRODUCTION}\n${markdown}\n`)
