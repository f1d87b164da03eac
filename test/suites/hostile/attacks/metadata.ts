import { stringToHex, toHex } from 'viem'
import type { Hex } from '#lib/protocol/entity.ts'
import { type Attack, choice, type Scene } from '../attack.ts'
import { assemble, carried, type Piece } from '../evm.ts'
import { batchCalldata, type Content, codeContent, publishCalldata } from '../publications.ts'

const MOST = 8_192
const RUNTIME = assemble('4 CALLDATALOAD 1 ADD 0 MSTORE 32 0 RETURN')

function entity(scene: Scene): Content {
  return codeContent('transformation', scene.name('worded'), 0, RUNTIME)
}
function text(value: string): Hex {
  return stringToHex(value.slice(0, MOST))
}
function json(value: unknown): Hex {
  return text(JSON.stringify(value))
}
const long = 'x'.repeat(8_000)

/** Words of authors that readers choke on. */
const WORDS: readonly (() => Hex)[] = [
  () => '0x',
  () => '0x00',
  () => toHex(new Uint8Array(MOST).fill(0xff)),
  () => `0x${'c0af'.repeat(MOST / 2)}`,
  () => text('['.repeat(MOST)),
  () => text(`${'['.repeat(MOST / 2)}${']'.repeat(MOST / 2)}`),
  () => text(`${'{"a":'.repeat(1_300)}1${'}'.repeat(1_300)}`),
  () => text('1e999999'),
  () => text(`-0.${'9'.repeat(8_000)}`),
  () => text('null'),
  () => text('"text"'),
  () => text('{"description":"\\u0000"}'),
  () => text('{"description":"\\ud800"}'),
  () => text('{"description":"a","description":"b"}'),
  () => text('{"__proto__":{"description":"x"},"constructor":{"prototype":1}}'),
  () => text(' {"description":"not canonical"} '),
  () => json({ description: long }),
  () => json({ description: '<script>alert(1)</script>\u202e\u0007', licence: 'MIT' }),
  () => json({ description: 7, licence: [], source: {} }),
  () => json({ description: '', licence: 'MIT', source: 'return x; } } contract E {' }),
  () => json({ description: '', licence: 'MIT', source: `return x${' + x'.repeat(1_900)};` }),
  () =>
    json({ description: '', licence: 'MIT', source: `return ${'('.repeat(3_900)}x${')'.repeat(3_900)};` }),
  () => json({ description: '', licence: 'MIT', source: 'while (true) {} return x;' }),
  () => json(Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`k${i}`, i]))),
  () => `0xefbbbf${json({ description: 'a byte order mark' }).slice(2)}`,
]

/** Metadata of every sort, seen or hidden, beside false candidates for its hash. */
const words: Attack = {
  name: 'metadata',
  weight: 3,
  parameters: { words: [0, WORDS.length - 1], hidden: [0, 1], decoys: [0, 60] },
  async build(scene, { words: which, hidden, decoys = 0 }) {
    const owner = await scene.carrier()
    const content = scene.publishes(entity(scene))
    const metadata = choice(WORDS, which)()
    const call: Piece = {
      how: hidden === 1 ? 'hidden' : 'call',
      data: publishCalldata(content, owner, { metadata }),
    }
    const room = Math.min(decoys, Math.floor(110_000 / (call.data.length / 2)))
    const pieces = Array.from({ length: room }, (_, i): Piece => {
      // The same publication with other words: only the hash of the event distinguishes them.
      const other = text(`{"description":"${i} of many"}`)
      return { how: 'ignored', data: publishCalldata(content, owner, { metadata: other }) }
    })
    const data = carried(scene.random.chance(0.5) ? [call, ...pieces] : [...pieces, call])
    return [{ from: scene.account(), to: owner, data, gas: 30_000_000 }]
  },
}

/** Batches: connectors over what stands before them, nested in other calldata, with words or without. */
const batches: Attack = {
  name: 'batches',
  weight: 3,
  parameters: { entities: [1, 40], how: [0, 3], words: [0, WORDS.length - 1], broken: [0, 1] },
  async build(scene, { entities = 1, how, words: which, broken }) {
    const owner = how === 3 ? scene.account() : await scene.carrier()
    const first = scene.publishes(entity(scene))
    const contents = [first]
    for (let i = 1; i < entities; i++) {
      const below = contents.at(-1) as Content
      const over = below.kind === 'connector' && below.depth < 200 ? { composite: below.name } : {}
      const dimensions = [{ transformations: [{ name: first.name }], ...over }]
      contents.push(scene.publishes(scene.connector({ name: scene.name('batch'), dimensions })))
    }
    // A batch that names something twice is refused as a whole.
    const sent = broken === 1 && entities > 4 ? [...contents, first] : contents
    const metadata = entities <= 12 ? choice(WORDS, which)() : '0x'
    const data = batchCalldata(sent, owner, metadata)
    const gas = 400_000 * entities + 10_000_000
    if (how === 3) return [{ from: owner, to: scene.registry, data, gas }]
    const mode = choice(['call', 'hidden', 'call'] as const, how)
    const pieces: Piece[] = [{ how: mode, data }]
    // The same batch again, as a claim that never was a call.
    if (how === 2)
      pieces.unshift({ how: 'ignored', data: batchCalldata(contents.toReversed(), owner, '0x01') })
    return [{ from: scene.account(), to: owner, data: carried(pieces), gas }]
  },
}

export const metadataAttacks: readonly Attack[] = [words, batches]
