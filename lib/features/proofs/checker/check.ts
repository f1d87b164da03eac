import { bytesToHex, keccak256 } from 'viem/utils'
import { checkInput, computeRun, type ProofLimits } from '#lib/engine/recheck.ts'
import { type Address, type Hash, KIND_CODE } from '#lib/protocol/entity.ts'
import { readTree, type Tree } from '#lib/protocol/entity-tree.ts'
import { decodeParticles, MalformedParticles, type ParticleStream } from '#lib/protocol/particles.ts'
import { quoted, Refusal } from '#lib/protocol/refusal.ts'
import { type Certificate, type CertifiedBlock, readCertificate } from './certificate.ts'
import { checkRegistryCode, checkRunnerCode, entrySlots } from './contracts.ts'
import { addressOfWord, decodeHeader, type Header } from './header.ts'
import { NodePool, provenAccount, provenWord } from './trie.ts'
import { type Trust, trusted } from './trust.ts'

/** Result of a check. */
export interface Verdict {
  /** `consistent`: the values follow if the block is of the chain, and nothing that the reader trusts says that it is. */
  readonly verdict: 'proven' | 'consistent' | 'refuted' | 'undecided'
  /** Code of `docs/certificate.md`: `proven`, `consistent` or that of the first step that failed. */
  readonly code: string
  readonly sentence: string
  /** Id of the chain that the file names; this and what follows is null where the file cannot be read. */
  readonly chain: number | null
  readonly block: (CertifiedBlock & { readonly final: boolean }) | null
  readonly registry: Address | null
  /** Named by the author of the file: nothing checks them. */
  readonly sources: readonly string[] | null
}

type Stated = Pick<Verdict, 'chain' | 'block' | 'registry' | 'sources'>
const NOTHING_STATED: Stated = { chain: null, block: null, registry: null, sources: null }

/**
 * Checks the text of a certificate; without any network where no node is trusted. Never throws for what the text holds.
 *
 * @param trust What the reader knows of the chain: without it no file is more than consistent.
 * @param limits Of the computation, where others wait for the same thread.
 */
export async function checkFile(text: string, trust: Trust = {}, limits?: ProofLimits): Promise<Verdict> {
  let stated = NOTHING_STATED
  try {
    const certificate = await readCertificate(text)
    stated = statedBy(certificate)
    const tree = checked(certificate, limits)
    const word = await trusted(certificate, trust)
    const verdict = word === undefined ? 'consistent' : 'proven'
    return { verdict, code: verdict, sentence: sentenceOf(certificate, tree, word), ...stated }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const verdict = error.refuted ? 'refuted' : 'undecided'
    return { verdict, code: error.code, sentence: error.message, ...stated }
  }
}

function statedBy({ chain, block, sources }: Certificate): Stated {
  return { chain: chain.id, block, registry: chain.registry, sources }
}

/** The steps of `docs/certificate.md`, in their order. @throws Refusal */
function checked(certificate: Certificate, limits?: ProofLimits): Tree {
  const { chain, connector, count, starts } = certificate
  const header = headerOf(certificate)
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
  const unused = certificate.nodes.length - pool.usedNodes().length
  if (unused > 0)
    throw new Refusal('nodes_unused', `The file has ${counted(unused, 'node')} that no proof needs.`)

  checkInput(tree)
  const computed = computeRun({ tree, count, starts }, limits)
  compare(certificate, computed.ok, computed.output)
  return tree
}

function headerOf({ header: bytes, block: { number, hash } }: Certificate): Header {
  const header = decodeHeader(bytes)
  if (header === undefined) throw new Refusal('header', 'The header in the file is no header of a block.')
  if (header.hash !== hash) {
    throw new Refusal('header_hash', `The header has the hash ${header.hash}, not the one that is stated.`)
  }
  if (header.number !== number) {
    throw new Refusal('header_number', `The header is of block ${header.number}, not of block ${number}.`)
  }
  return header
}

const KIND_CONNECTOR = KIND_CODE.connector

function checkEntry(pool: NodePool, storageRoot: Hash, connector: string, tree: Tree): void {
  const slots = entrySlots(KIND_CONNECTOR, connector)
  const what = `entry of ${quoted(connector)}`
  const entry = provenWord(pool, storageRoot, slots.entity, what)
  if (entry === 0n) {
    throw new Refusal('entry_absent', `The registry had no connector ${quoted(connector)} at this block.`)
  }
  const [root] = [...tree.entities.keys()]
  const address = addressOfWord(entry)
  if (tree.root.name !== connector || address !== root) {
    throw new Refusal(
      'root_address',
      `The registry has ${quoted(connector)} at ${address}, where the code in the file does not belong.`,
    )
  }
  if (provenWord(pool, storageRoot, slots.content, what) !== BigInt(tree.root.contentHash)) {
    throw new Refusal(
      'content_hash',
      `The registry has another content hash for ${quoted(connector)} than the file's code.`,
    )
  }
}

function checkCode(pool: NodePool, stateRoot: Hash, tree: Tree): void {
  for (const [address, { kind, name, code }] of tree.entities) {
    const { codeHash } = provenAccount(pool, stateRoot, address, `${kind} ${quoted(name)}`)
    if (codeHash !== keccak256(code)) {
      throw new Refusal(
        'entity_code',
        `The state of the block has other code for ${kind} ${quoted(name)} than the file.`,
      )
    }
  }
}

/** Compares what the file says with what was computed. @throws Refusal */
function compare({ result, answer }: Certificate, ok: boolean, output: Uint8Array): void {
  const hasParticles = result === 'particles'
  if (hasParticles && !ok) throw new Refusal('outcome', 'The file has values, but the code rejects this run.')
  if (!hasParticles && ok)
    throw new Refusal('outcome', 'The file has a rejection, but the code gives values.')
  if (bytesToHex(answer) === bytesToHex(output)) return
  if (!hasParticles)
    throw new Refusal('reason', 'The code rejects this run for another reason than the file says.')
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
    if (statedPath !== path) return `path ${i} has another name in the file than ${quoted(path)}`
    if (statedData.length !== data.length) {
      return `${quoted(path)} has ${statedData.length} in the file, and the code gives ${data.length}`
    }
    const step = data.findIndex((value, k) => value !== statedData[k])
    if (step >= 0)
      return `${quoted(path)} at step ${step} is ${statedData[step]} in the file, and ${data[step]} by the code`
  }
  return 'the file encodes the same values in another way than the Runner'
}

/** @param word What the reader trusts, as a part of the sentence; undefined where that is nothing. */
function sentenceOf(certificate: Certificate, { root, entities }: Tree, word: string | undefined): string {
  const { chain, count, block, sources, result } = certificate
  const values = root.leafCount * count
  const what =
    result === 'particles'
      ? `the ${counted(values, 'value')} of ${counted(root.leafCount, 'path')} ${values === 1 ? 'is' : 'are'}`
      : 'the rejection of this run is'
  const who = `the code of ${quoted(root.name)} and its ${counted(entities.size - 1, 'part')}`
  const registered = `that code is registered at ${chain.registry} in the state of block ${block.number} (${block.hash})`
  const claim = `${what} what ${who} computes, and any later block gives the same; ${registered}`
  if (word !== undefined) return `Proven: ${claim}, which is of chain ${chain.id}: ${word}.`
  return (
    `Consistent: ${claim}. Not checked: that this block is of chain ${chain.id}. Its author says so, ` +
    `${block.final ? 'as final' : 'as not yet final'}, and names ${listed(sources)}; name a block or a node that you trust.`
  )
}

const MAX_NAMED = 3

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED
  return names.slice(0, MAX_NAMED).map(quoted).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
