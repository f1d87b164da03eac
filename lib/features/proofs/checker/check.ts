import { bytesToHex, keccak256 } from 'viem/utils'
import { type BlockFields, traitsOf } from '#lib/protocol/code-traits.ts'
import { type Hash, KIND_CODE } from '#lib/protocol/entity.ts'
import { decodeParticles, MalformedParticles, type ParticleStream } from '#lib/protocol/particles.ts'
import { type Certificate, readCertificate } from './certificate.ts'
import { type Computed, computeRun, type ProofRun } from './compute.ts'
import { checkRegistryCode, checkRunnerCode, entrySlots } from './contracts.ts'
import { addressOfWord, decodeHeader, type Header } from './header.ts'
import { Refusal } from './refusal.ts'
import { readTree, type Tree } from './tree.ts'
import { NodePool, provenAccount, provenWord } from './trie.ts'

/** What a check found. */
export interface Verdict {
  readonly verdict: 'proven' | 'refuted' | 'undecided'
  /** Of `docs/certificate.md`; `proven` or that of the first step that failed. */
  readonly code: string
  readonly sentence: string
  /** What computed the values. */
  readonly by?: 'engine' | 'evm'
  /** What a proven run depends on: its input alone, or the fields of the block that it ran at, too. */
  readonly dependsOn?: 'input' | 'block'
}

/** Checks the text of a certificate, without any network. Never throws for what the text holds. */
export function checkFile(text: string): Promise<Verdict> {
  return checkFileBy(text, computeRun)
}

/** The same, with what computes the run: a page whose policy forbids to compile does without the engine. */
export async function checkFileBy(text: string, compute: (run: ProofRun) => Computed): Promise<Verdict> {
  try {
    return checked(await readCertificate(text), compute)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return {
      verdict: error.refuted ? 'refuted' : 'undecided',
      code: error.code,
      sentence: error.message,
    }
  }
}

/** The steps of `docs/certificate.md`, in their order. @throws Refusal */
function checked(certificate: Certificate, compute: (run: ProofRun) => Computed): Verdict {
  const { chain, connector, count, starts } = certificate
  const header = headerOf(certificate.header, certificate.block, 'the proof')
  const pool = new NodePool(certificate.nodes)
  const registry = provenAccount(pool, header.stateRoot, chain.registry, `registry at ${chain.registry}`)
  if (keccak256(certificate.registryCode) !== registry.codeHash) {
    throw new Refusal(
      'registry_code',
      "The registry's code in the file is not the one in the state of the block.",
    )
  }
  checkRegistryCode(certificate.registryCode, chain.registry, chain.id)
  const runner = provenAccount(pool, header.stateRoot, chain.runner, `runner at ${chain.runner}`)
  if (keccak256(certificate.runnerCode) !== runner.codeHash) {
    throw new Refusal(
      'runner_code',
      "The runner's code in the file is not the one in the state of the block.",
    )
  }
  checkRunnerCode(certificate.runnerCode, chain.runner, chain.registry)

  const tree = readTree(chain.registry, certificate.entities)
  checkEntry(pool, registry.storageRoot, connector, tree)
  checkCode(pool, header.stateRoot, tree)
  const unused = certificate.nodes.length - pool.used().length
  if (unused > 0)
    throw new Refusal('nodes_unused', `The file has ${counted(unused, 'node')} that no proof needs.`)

  const block = blockOf(certificate, tree)
  const computed = compute({
    tree,
    count,
    starts,
    block,
    runner: { address: chain.runner, code: certificate.runnerCode },
  })
  compare(certificate, computed.ok, computed.output)
  return {
    verdict: 'proven',
    code: 'proven',
    sentence: provenSentence(certificate, tree),
    by: computed.by,
    dependsOn: block === undefined ? 'input' : 'block',
  }
}

function headerOf(
  bytes: Uint8Array,
  { number, hash }: { readonly number: number; readonly hash: Hash },
  whose: string,
): Header {
  const header = decodeHeader(bytes)
  if (header === undefined) throw new Refusal('header', `The header of ${whose} is no header of a block.`)
  if (header.hash !== hash) {
    throw new Refusal(
      'header_hash',
      `The header of ${whose} has the hash ${header.hash}, not the one that is stated.`,
    )
  }
  if (header.number !== number) {
    throw new Refusal(
      'header_number',
      `The header of ${whose} is of block ${header.number}, not of block ${number}.`,
    )
  }
  return header
}

const KIND_CONNECTOR = KIND_CODE.connector

function checkEntry(pool: NodePool, storageRoot: Hash, connector: string, tree: Tree): void {
  const slots = entrySlots(KIND_CONNECTOR, connector)
  const what = `entry of ${connector}`
  const entry = provenWord(pool, storageRoot, slots.entity, what)
  if (entry === 0n) {
    throw new Refusal('entry_absent', `The registry had no connector ${connector} at this block.`)
  }
  const [root] = [...tree.entities.keys()]
  const address = addressOfWord(entry)
  if (tree.root.name !== connector || address !== root) {
    throw new Refusal(
      'root_address',
      `The registry has ${connector} at ${address}, where the code in the file does not belong.`,
    )
  }
  if (provenWord(pool, storageRoot, slots.content, what) !== BigInt(tree.root.contentHash)) {
    throw new Refusal(
      'content_hash',
      `The registry has another content hash for ${connector} than the file's code.`,
    )
  }
}

function checkCode(pool: NodePool, stateRoot: Hash, tree: Tree): void {
  for (const [address, { kind, name, code }] of tree.entities) {
    const { codeHash } = provenAccount(pool, stateRoot, address, `${kind} ${name}`)
    if (codeHash !== keccak256(code)) {
      throw new Refusal(
        'entity_code',
        `The state of the block has other code for ${kind} ${name} than the file.`,
      )
    }
  }
}

/** The fields that the run's code may read. @throws Refusal */
function blockOf({ chain, ranAt, ranAtHeader }: Certificate, tree: Tree): BlockFields | undefined {
  const traits = traitsOf(tree.artifacts)
  if (traits.dependsOn === 'surroundings') {
    const reads = traits.reads.join(', ')
    throw new Refusal(
      'surroundings',
      `The run depends on more than its input and the block: it uses ${reads}.`,
      false,
    )
  }
  if (traits.dependsOn === 'input') {
    if (ranAt === null && ranAtHeader.length === 0) return undefined
    throw new Refusal('ran_at', 'The run reads no block, and the file names one that it would read.')
  }
  if (ranAt === null) {
    throw new Refusal('ran_at', 'The run reads the block, and the file does not say which one.')
  }
  return { ...headerOf(ranAtHeader, ranAt, 'the run').fields, chainId: BigInt(chain.id) }
}

/** Compares what the file says with what was computed. @throws Refusal */
function compare({ result, answer }: Certificate, ok: boolean, output: Uint8Array): void {
  const said = result === 'particles'
  if (said && !ok) throw new Refusal('outcome', 'The file has values, but the code rejects this run.')
  if (!said && ok) throw new Refusal('outcome', 'The file has a rejection, but the code gives values.')
  if (bytesToHex(answer) === bytesToHex(output)) return
  if (!said) throw new Refusal('reason', 'The code rejects this run for another reason than the file says.')
  throw new Refusal('values', `The values differ: ${differenceOf(answer, decodeParticles(output))}.`)
}

function differenceOf(answer: Uint8Array, computed: readonly ParticleStream[]): string {
  let stated: readonly ParticleStream[]
  try {
    stated = decodeParticles(answer)
  } catch (error) {
    if (!(error instanceof MalformedParticles)) throw error
    return 'those of the file cannot be read'
  }
  if (stated.length !== computed.length) {
    return `the file has ${counted(stated.length, 'path')}, and the code gives ${computed.length}`
  }
  for (const [i, { path, data }] of computed.entries()) {
    const { path: statedPath, data: statedData } = stated[i] as ParticleStream
    if (statedPath !== path) return `path ${i} has another name in the file than ${path}`
    if (statedData.length !== data.length) {
      return `${path} has ${statedData.length} in the file, and the code gives ${data.length}`
    }
    const step = data.findIndex((value, k) => value !== statedData[k])
    if (step >= 0)
      return `${path} at step ${step} is ${statedData[step]} in the file, and ${data[step]} by the code`
  }
  return 'the file encodes the same values in another way than the Runner'
}

function provenSentence(certificate: Certificate, { root, entities, artifacts }: Tree): string {
  const { chain, count, block, ranAt, sources, result } = certificate
  const what =
    result === 'particles'
      ? `the ${counted(root.leafCount * count, 'value')} of ${counted(root.leafCount, 'path')} ${root.leafCount * count === 1 ? 'is' : 'are'}`
      : 'the rejection of this run is'
  const parts = entities.size - 1
  const who = `the code of ${root.name} and its ${counted(parts, 'part')}`
  const reading = ranAt === null ? '' : `, reading the fields of block ${ranAt.number} (${ranAt.hash})`
  const hold = traitsOf(artifacts).dependsOn === 'input' ? ', and any later block gives the same' : ''
  const [first] = sources
  const word =
    sources.length === 1
      ? `the word of one source alone (${first})`
      : `the word of ${sources.length} sources that agreed (${sources.join(', ')})`
  const headers = ranAt === null ? 'the header itself' : 'the headers themselves'
  return (
    `Proven: ${what} what ${who} computes${reading}, computed again here; that code is registered on chain ${chain.id} ` +
    `at block ${block.number}, by Merkle proof against the state root of its header ${block.hash}${hold}; ` +
    `not proven: ${headers}, ${block.final ? 'final' : 'not yet final'} by ${word}.`
  )
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
