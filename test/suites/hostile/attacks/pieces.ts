import { stringToHex } from 'viem'
import { encodeAuthorMetadata } from '#lib/protocol/author-metadata.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import type { KnobWords, Presentation } from '#lib/protocol/presentation.ts'
import { type Attack, choice } from '../attack.ts'
import { assemble, carried, type Piece } from '../evm.ts'
import { codeContent, publishCalldata } from '../publications.ts'

const RUNTIME = assemble('4 CALLDATALOAD 3 ADD 0 MSTORE 32 0 RETURN')
const HASH = 'ab'.repeat(32)
const LEAST: Presentation = { particles: 1, tempo: 20, loop: false }

function knob(at: string, name = 'knob', min = 0, max = 4_294_967_295): KnobWords {
  return { at, name, min, max }
}

function shown(present: Partial<Presentation>, title?: string): () => Hex {
  return () => encodeAuthorMetadata({ present: { ...LEAST, ...present }, ...(title && { title }) })
}

function titled(title: string): () => Hex {
  return () => encodeAuthorMetadata({ title })
}

/** Bytes that are no words: shown as if there were none. */
function unread(value: unknown): () => Hex {
  return () => stringToHex(JSON.stringify(value).slice(0, 8_192))
}

/** Titles and presentations that readers and pages choke on. */
const PIECES: readonly (() => Hex)[] = [
  shown({
    knobs: [knob('call/65535/65535/65535'), knob('nobody:call/0/0/0'), knob('condition/9', 'k', -1, 1)],
  }),
  shown({
    knobs: Array.from({ length: 8 }, (_, i) =>
      knob(`${'n'.repeat(127)}${i}:start/4294967295`, '𒐫'.repeat(30)),
    ),
  }),
  shown({ knobs: [knob('start/0'), knob('shift/0'), knob('start/4294967295')] }, 'A knob of the index'),
  shown({ world: { bundle_hash: HASH, slug: 'nowhere' } }, 'A World that is not there'),
  shown({ world: { bundle_hash: HASH, slug: 'harp', slots: [{ connector: 'nobody', slot: '__proto__' }] } }),
  shown({ particles: 65_536, tempo: 2_400, loop: true }, 'As long and as fast as can be'),
  shown({
    sound: {
      scale: 'of_tomorrow',
      paths: Array.from({ length: 64 }, (_, i) => ({
        path: `${i}/99999`,
        instrument: 'theremin',
        octave: 8,
        span: 6,
      })),
    },
  }),
  shown({ sound: { paths: [{ path: `${'0/'.repeat(99)}0`, muted: false, role: 'conductor', pan: -100 }] } }),
  // All that 8,192 bytes hold.
  shown(
    {
      knobs: Array.from({ length: 8 }, (_, i) => knob(`call/65535/65535/${65_528 + i}`, 'W'.repeat(60))),
      sound: {
        paths: Array.from({ length: 32 }, (_, i) => ({
          path: `${10 + i}${'/99999'.repeat(30)}`,
          instrument: 'theremin',
        })),
      },
    },
    'W'.repeat(80),
  ),
  shown(
    {
      sound: {
        paths: [
          { path: '0', role: 'time' },
          { path: '0/0', role: 'pan' },
        ],
      },
    },
    'About no notes',
  ),
  titled(`a${'\u0301'.repeat(4)}`.repeat(16)),
  titled('﷽'.repeat(80)),
  titled('<img src=x onerror=alert(1)>'),
  titled("'; drop table entities; --%_"),
  titled('مرحبا بالعالم 123 abc'),
  titled('W'.repeat(80)),
  titled('__proto__'),
  unread({ title: 'turned \u202e over' }),
  unread({ title: '\u0301\u0301\u0301' }),
  unread({ title: `a${'\u0301'.repeat(79)}` }),
  unread({ title: '\u200b\u2800\u3164' }),
  unread({ present: { ...LEAST, knobs: Array.from({ length: 200 }, (_, i) => knob(`start/${i}`)) } }),
  unread({ present: { ...LEAST, particles: 1e9, sound: { paths: 7 } } }),
  unread({ present: { ...LEAST, __proto__: null, toString: [] }, title: 7 }),
]

/** Connectors that are pieces in words only: each must be listed, read, run and found as any other. */
export const pieceAttack: Attack = {
  name: 'pieces',
  weight: 2,
  parameters: { first: [0, PIECES.length - 1], pieces: [1, PIECES.length] },
  async build(scene, { first = 0, pieces = 1 }) {
    const owner = await scene.carrier()
    const step = scene.publishes(codeContent('transformation', scene.name('step'), 0, RUNTIME))
    const connectors = Array.from({ length: pieces }, () => {
      const dimensions = [{ transformations: [{ name: step.name }] }]
      return scene.publishes(scene.connector({ name: scene.name('piece'), dimensions }))
    })
    const calls = [step, ...connectors].map((content, i): Piece => {
      const metadata = i === 0 ? '0x' : choice(PIECES, first + i)()
      return { how: 'call', data: publishCalldata(content, owner, { nonce: BigInt(i), metadata }) }
    })
    return [{ from: scene.account(), to: owner, data: carried(calls), gas: 30_000_000 }]
  },
}
