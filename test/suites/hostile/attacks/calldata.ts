import { encodeAbiParameters, encodeEventTopics, keccak256, stringToHex, toHex, zeroHash } from 'viem'
import { PUBLISH_SELECTOR } from '#lib/chain/publication-calldata.ts'
import { registryAbi } from '#lib/protocol/abi.ts'
import { type Hex, KIND_CODE } from '#lib/protocol/entity.ts'
import { type Attack, choice, type Scene, type Transaction } from '../attack.ts'
import { assemble, carried, constructorOf, type Piece } from '../evm.ts'
import { codeContent, falseHeads, publishCalldata, sharedStringsPayload } from '../publications.ts'
import { throughCarrier, WORDS } from './entities.ts'

const RUNTIME = assemble('4 CALLDATALOAD 1 ADD 0 MSTORE 32 0 RETURN')
function tiny(scene: Scene, prefix: string) {
  return codeContent('transformation', scene.name(prefix), 0, RUNTIME)
}

/** Calldata full of false calls of `publish` that share one payload, in which all strings are one long string. */
const decodeBomb: Attack = {
  name: 'decode bomb',
  weight: 3,
  parameters: { heads: [1, 60], dimensions: [1, 380], calls: [0, 2], text: [1, 50_000], before: [0, 1] },
  async build(scene, { heads = 1, dimensions = 1, calls = 0, text = 1, before }) {
    const owner = await scene.carrier()
    // A connector, because only a connector's payload has strings; built on nothing, so that it is published at once.
    const content = scene.connector({ name: scene.name('bomb'), dimensions: [{}] })
    const bomb = falseHeads(content, owner, heads, sharedStringsPayload(dimensions, calls, text))
    const pieces: Piece[] = [
      { how: 'hidden', data: publishCalldata(scene.publishes(content), owner, { metadata: WORDS }) },
      { how: 'ignored', data: bomb },
    ]
    return [
      {
        from: scene.account(),
        to: owner,
        data: carried(before === 1 ? pieces.toReversed() : pieces),
        gas: 30_000_000,
      },
    ]
  },
}

/** Many publications in one transaction whose calldata holds many false beginnings of `publish`. */
const candidates: Attack = {
  name: 'quadratic candidates',
  weight: 2,
  parameters: { events: [1, 60], heads: [0, 400], gap: [0, 300], hidden: [0, 1] },
  async build(scene, { events = 1, heads = 0, gap = 0, hidden }) {
    const owner = await scene.carrier()
    const contents = Array.from({ length: events }, () => scene.publishes(tiny(scene, 'many')))
    const claimed = falseHeads(contents[0]!, owner, 1, '0x')
    const room = Math.min(heads, Math.floor(110_000 / (gap + claimed.length / 2)))
    const fill = 'ff'.repeat(gap)
    const decoy = `0x${Array.from({ length: room }, () => `${claimed.slice(2)}${fill}`).join('')}` as Hex
    const pieces = contents.map((content, i): Piece => {
      const data = publishCalldata(content, owner, { nonce: BigInt(i), metadata: WORDS })
      return { how: hidden === 1 ? 'hidden' : 'call', data }
    })
    const data = carried([{ how: 'ignored', data: decoy }, ...pieces])
    return [{ from: scene.account(), to: owner, data, gas: 200_000 * events + 20_000_000 }]
  },
}

function filler(scene: Scene, bytes: number, how: number | undefined): string {
  return choice(
    [
      () => '00'.repeat(bytes),
      () => PUBLISH_SELECTOR.slice(2).repeat(Math.floor(bytes / 4)),
      () => toHex(Uint8Array.from({ length: bytes }, () => scene.random.between(0, 255))).slice(2),
    ],
    how,
  )()
}

/** Blocks full of publications whose calldata is as long as a transaction may be. */
const largeBlock: Attack = {
  name: 'large block',
  heavy: true,
  parameters: { transactions: [1, 128], kilobytes: [1, 125], filler: [0, 2] },
  build(scene, { transactions = 1, kilobytes = 1, filler: how }) {
    const fill = filler(scene, kilobytes * 1_000, how)
    return Array.from({ length: transactions }, () => {
      const transaction = scene.direct(scene.publishes(tiny(scene, 'large')))
      // Public chains take 40 gas for each byte of calldata (EIP-7623).
      return { ...transaction, data: `${transaction.data}${fill}` as Hex, gas: 8_000_000 }
    })
  },
}

/** More publications in one block than any batch wants. */
const manyEvents: Attack = {
  name: 'many events',
  heavy: true,
  parameters: { transactions: [1, 12], events: [1, 60] },
  async build(scene, { transactions = 1, events = 1 }) {
    return Promise.all(
      Array.from({ length: transactions }, () =>
        throughCarrier(
          scene,
          Array.from({ length: events }, () => tiny(scene, 'event')),
          'call',
          events * 250_000 + 1_000_000,
        ),
      ),
    )
  },
}

/** Transactions that have nothing to do with the registry, so that headers of blocks grow. */
const crowd: Attack = {
  name: 'crowd',
  parameters: { transfers: [1, 400] },
  build(scene, { transfers = 1 }) {
    const from = scene.account()
    return Array.from({ length: transfers }, () => ({ from, to: from, data: '0x' as Hex, gas: 21_000 }))
  },
}

/** Events of other contracts in the form of the registry's own, for names that are published and names that are not. */
const lookalikes: Attack = {
  name: 'lookalike events',
  parameters: { events: [1, 40], wrong: [0, 1] },
  async build(scene, { events = 1, wrong }) {
    const logs = Array.from({ length: events }, () => {
      const name = scene.random.chance(0.5)
        ? scene.name('looks')
        : (scene.known('connector', 1)[0]?.name ?? 'looks')
      const topics = encodeEventTopics({
        abi: registryAbi,
        eventName: 'Published',
        args: { kind: KIND_CODE.connector, owner: scene.account(), nameHash: keccak256(stringToHex(name)) },
      }) as Hex[]
      const data = encodeAbiParameters(
        [
          { type: 'string' },
          { type: 'address' },
          { type: 'bytes32' },
          { type: 'bytes32' },
          { type: 'uint256' },
        ],
        [name, scene.account(), zeroHash, zeroHash, 0n],
      )
      return { topics, data: wrong === 1 ? data.slice(0, 66) : data }
    })
    // Each log's data is behind the code; the contract is one for all.
    const emit = logs
      .map(({ topics, data }) => {
        const words = (data.length - 2) / 64
        const stores = Array.from(
          { length: words },
          (_, i) => `0x${data.slice(2 + i * 64, 66 + i * 64)} ${i * 32} MSTORE`,
        )
        return `${stores.join(' ')} ${topics.toReversed().join(' ')} ${words * 32} 0 LOG4`
      })
      .join(' ')
    const to = await scene.contract(assemble(emit))
    return [{ from: scene.account(), to, data: '0x' }]
  },
}

/** A constructor that publishes much: the transaction has no recipient. */
const constructors: Attack = {
  name: 'constructors',
  parameters: { events: [1, 40], hidden: [0, 1] },
  build(scene, { events = 1, hidden }) {
    const from = scene.account()
    const owner = scene.created(from)
    const calls = Array.from({ length: events }, (_, i) => ({
      to: scene.registry,
      data: publishCalldata(scene.publishes(tiny(scene, 'made')), owner, {
        nonce: BigInt(i),
        metadata: WORDS,
      }),
      hidden: hidden === 1,
    }))
    return [{ from, to: undefined, data: constructorOf(calls), gas: 300_000 * events + 2_000_000 }]
  },
}

/** Calldata that the registry accepts and that is not the one plain encoding. */
const sloppyCalldata: Attack = {
  name: 'sloppy calldata',
  parameters: { how: [0, 3], bytes: [0, 4_000] },
  build(scene, { how, bytes = 0 }): Transaction[] {
    const content = scene.publishes(tiny(scene, 'sloppy'))
    const transaction = scene.direct(content)
    const body = transaction.data.slice(10)
    const data = choice(
      [
        () => `${transaction.data}${'ab'.repeat(bytes)}`,
        // Everything moved: the offsets of both arguments are larger.
        () => {
          const moved = 32 * Math.ceil(bytes / 32)
          const offset = (at: number) =>
            (BigInt(`0x${body.slice(at, at + 64)}`) + BigInt(moved)).toString(16).padStart(64, '0')
          return `${PUBLISH_SELECTOR}${offset(0)}${offset(64)}${'cd'.repeat(moved)}${body.slice(128)}`
        },
        // The selector stands in front of itself.
        () => `${transaction.data}${PUBLISH_SELECTOR.slice(2)}${body}`,
        () => `${transaction.data}${PUBLISH_SELECTOR.slice(2)}`,
      ],
      how,
    )() as Hex
    return [{ ...transaction, data }]
  },
}

export const calldataAttacks: readonly Attack[] = [
  decodeBomb,
  candidates,
  largeBlock,
  manyEvents,
  crowd,
  lookalikes,
  constructors,
  sloppyCalldata,
]
