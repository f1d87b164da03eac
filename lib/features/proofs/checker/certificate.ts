import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import { type Address, ENTITY_KINDS, type EntityKind, type Hash } from '#lib/protocol/entity.ts'
import type { ProvenEntity } from '#lib/protocol/entity-tree.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import { Refusal } from '#lib/protocol/refusal.ts'
import { parseStrictly } from './strict-json.ts'

/** A block as a certificate names it. */
export interface CertifiedBlock {
  readonly number: number
  readonly hash: Hash
}

/** A run with everything that proves its values: the content of a `.weft.json` file. */
export interface Certificate {
  readonly chain: { readonly id: number; readonly registry: Address; readonly runner: Address }
  readonly connector: string
  readonly count: number
  readonly starts: readonly PositionedRunningInstance[]
  /** The block whose state holds the registry. */
  readonly block: CertifiedBlock & { readonly final: boolean }
  /** Those that gave the header of the block alike. */
  readonly sources: readonly string[]
  readonly result: 'particles' | 'revert'
  /** Return data or revert data of the Runner. */
  readonly answer: Uint8Array
  readonly header: Uint8Array
  readonly registryCode: Uint8Array
  readonly runnerCode: Uint8Array
  readonly entities: readonly ProvenEntity[]
  /** Nodes of the state and storage tries, each once. */
  readonly nodes: readonly Uint8Array[]
}

const FORMAT = 'weft-certificate-1'
const KEYS = 'format chain connector count starts block ran_at sources result entities packed'.split(' ')
const MAX_TEXT = 8 * 1024 * 1024
const MAX_UNPACKED = 16 * 1024 * 1024
const MAX_ENTITIES = 256
const MAX_STARTS = 4096
const MAX_SOURCES = 16
const FIXED_SECTIONS = 5
const MAX_HEADER = 8192
/** The largest code that a chain accepts (EIP-170). */
const MAX_CODE = 24_576
/** Bytes of a node: one with sixteen children has 532. */
const MAX_NODE = 576
/** Nodes a walk, on average: a trie of four billion accounts has ways of eight to ten. */
const NODES_A_WALK = 16
/** The walks beside those to the entities: two accounts, two words. */
const FIXED_WALKS = 4

/** Writes a certificate as the text of its file. */
export async function writeCertificate(certificate: Certificate): Promise<string> {
  const { chain, connector, count, starts, block, sources, result, entities } = certificate
  const sections = [
    certificate.header,
    new Uint8Array(),
    certificate.registryCode,
    certificate.runnerCode,
    certificate.answer,
    ...entities.map(({ code }) => code),
    ...certificate.nodes,
  ]
  const packed = await deflated(joined(sections))
  const file = {
    format: FORMAT,
    chain,
    connector,
    count,
    starts: starts.map(({ position, startPoint, transformationShift }) => [
      position,
      startPoint,
      transformationShift,
    ]),
    block,
    ran_at: null,
    sources,
    result,
    entities: entities.map(({ kind, name }) => [kind, name]),
    packed: toBase64(packed),
  }
  return `${JSON.stringify(file, null, 1)}\n`
}

/** Reads the text of a file. @throws Refusal('format' | 'packed') */
export async function readCertificate(text: string): Promise<Certificate> {
  if (text.length > MAX_TEXT) throw wrong('it is larger than 8 MiB')
  const file = parsed(text)
  if (file.format !== FORMAT) throw wrong(`it is not of the format ${FORMAT}`)
  if (Object.keys(file).sort().join() !== [...KEYS].sort().join())
    throw wrong('its fields are not those of the format')
  const chain = record(file.chain, 'chain', 'id registry runner')
  const block = record(file.block, 'block', 'final hash number')
  if (typeof block.final !== 'boolean') throw wrong('block.final is not true or false')
  const names = list(file.entities, 'entities', 1, MAX_ENTITIES).map((entity) => {
    const [kind, name, ...rest] = list(entity, 'entities', 2, 2)
    const entityKind = ENTITY_KINDS.find((each) => each === kind)
    if (entityKind === undefined || !isName(name) || rest.length > 0)
      throw wrong('entities holds no kind and name')
    return { kind: entityKind as EntityKind, name }
  })
  if (!isName(file.connector)) throw wrong('connector is no name')
  if (file.result !== 'particles' && file.result !== 'revert')
    throw wrong('result is neither particles nor revert')
  const facts = {
    chain: {
      id: integer(chain.id, 'chain.id', Number.MAX_SAFE_INTEGER),
      registry: bytesText(chain.registry, 'chain.registry', 20),
      runner: bytesText(chain.runner, 'chain.runner', 20),
    },
    connector: file.connector,
    count: integer(file.count, 'count', 65_536, 1),
    starts: list(file.starts, 'starts', 0, MAX_STARTS).map((start) => {
      const [position, startPoint, transformationShift] = list(start, 'starts', 3, 3).map((n) =>
        integer(n, 'starts', 0xffff_ffff),
      ) as [number, number, number]
      return { position, startPoint, transformationShift }
    }),
    block: { ...blockOf(block, 'block'), final: block.final },
    sources: list(file.sources, 'sources', 1, MAX_SOURCES).map(source),
    result: file.result as 'particles' | 'revert',
  }
  if (file.ran_at !== null) throw wrong('ran_at is not null: a run that reads a block has no certificate')
  const sections = await unpacked(file.packed, names.length)
  const [header, unused, registryCode, runnerCode, answer] = sections as Five
  if (unused.length > 0) throw notPacked('has a second header')
  return {
    ...facts,
    ...{ header, registryCode, runnerCode, answer },
    entities: names.map((one, i) => ({ ...one, code: sections[FIXED_SECTIONS + i] as Uint8Array })),
    nodes: sections.slice(FIXED_SECTIONS + names.length),
  }
}

type Five = [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array]

function parsed(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = parseStrictly(text)
  } catch {
    throw wrong('it is no JSON, or has a key twice or a number that is not written as a whole one')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong('it is no JSON object')
  return value as Readonly<Record<string, unknown>>
}

function record(value: unknown, what: string, keys: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(`${what} is no object`)
  if (Object.keys(value).sort().join(' ') !== keys)
    throw wrong(`the fields of ${what} are not those of the format`)
  return value as Readonly<Record<string, unknown>>
}

function list(value: unknown, what: string, least: number, most: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length < least || value.length > most) {
    throw wrong(`${what} is no list of the right length`)
  }
  return value
}

function integer(value: unknown, what: string, max: number, min = 0): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
  throw wrong(`${what} is no whole number in its range`)
}

function bytesText(value: unknown, what: string, size: number): `0x${string}` {
  if (typeof value === 'string' && value.length === 2 + 2 * size && /^0x[0-9a-f]*$/.test(value)) {
    return value as `0x${string}`
  }
  throw wrong(`${what} is not ${size} bytes in lower-case hexadecimal digits`)
}

function blockOf(value: Readonly<Record<string, unknown>>, what: string): CertifiedBlock {
  return {
    number: integer(value.number, `${what}.number`, Number.MAX_SAFE_INTEGER),
    hash: bytesText(value.hash, `${what}.hash`, 32),
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && isEntityName(value)
}

/** Printable ASCII, so that no name can pretend to be a sentence in another script or direction. */
function source(value: unknown): string {
  if (typeof value === 'string' && /^[!-~](?:[ -~]{0,98}[!-~])?$/.test(value)) return value
  throw wrong('a source is not 1 to 100 printable characters')
}

function joined(sections: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sections.reduce((sum, { length }) => sum + 4 + length, 4))
  const view = new DataView(bytes.buffer)
  view.setUint32(0, sections.length)
  let at = 4
  for (const section of sections) {
    view.setUint32(at, section.length)
    bytes.set(section, at + 4)
    at += 4 + section.length
  }
  return bytes
}

/** @param entities Number of them. @throws Refusal('packed') before anything is built that is larger than a proof needs. */
async function unpacked(value: unknown, entities: number): Promise<Uint8Array[]> {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(value) || value.length % 4 !== 0) {
    throw notPacked('is no base64')
  }
  const packed = Uint8Array.from(atob(value), (character) => character.charCodeAt(0))
  if (toBase64(packed) !== value) throw notPacked('is no base64 as it is written')
  const bytes = await inflated(packed)
  const view = new DataView(bytes.buffer)
  const size = (at: number): number => {
    if (at + 4 > bytes.length) throw notPacked('ends early')
    return view.getUint32(at)
  }
  const total = size(0)
  const fixed = FIXED_SECTIONS + entities
  if (total < fixed) throw notPacked('has too few parts')
  if (total > fixed + NODES_A_WALK * (FIXED_WALKS + entities))
    throw notPacked('has more nodes than proofs need')
  const sections: Uint8Array[] = []
  let at = 4
  for (let i = 0; i < total; i++) {
    const length = size(at)
    const end = at + 4 + length
    if (end > bytes.length) throw notPacked('ends early')
    if (length > largest(i, fixed)) throw notPacked('has a part that is too large')
    sections.push(bytes.subarray(at + 4, end))
    at = end
  }
  if (at !== bytes.length) throw notPacked('has bytes after its end')
  return sections
}

/** Bytes that a section may have. */
function largest(index: number, fixed: number): number {
  if (index === 0) return MAX_HEADER
  if (index === 4) return MAX_UNPACKED
  return index < fixed ? MAX_CODE : MAX_NODE
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return collected(new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate')), Infinity)
}

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  try {
    return await collected(
      new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')),
      MAX_UNPACKED,
    )
  } catch (error) {
    throw error instanceof Refusal ? error : notPacked('is not compressed as the format says')
  }
}

async function collected(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > most) {
      await reader.cancel().catch(() => undefined)
      throw notPacked('is larger than 16 MiB')
    }
    parts.push(value)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function wrong(why: string): Refusal {
  return new Refusal('format', `This is no certificate that can be read: ${why}.`)
}

function notPacked(why: string): Refusal {
  return new Refusal('packed', `The packed part of the file cannot be read: it ${why}.`)
}
