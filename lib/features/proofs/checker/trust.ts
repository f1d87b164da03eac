import type { Hash } from '#lib/protocol/entity.ts'
import { quoted, Refusal } from '#lib/protocol/refusal.ts'
import type { Certificate } from './certificate.ts'
import { decodeHeader } from './header.ts'
import { chainOf, headerAt, type Source } from './sources.ts'

/** Knowledge of a chain before any certificate: one of the two is enough, and each that is named must agree. */
export interface Trust {
  /** Hash of a block of the chain. */
  readonly block?: Hash | undefined
  readonly nodes?: readonly Source[] | undefined
}

/**
 * Compares the block of a certificate with what the reader trusts.
 *
 * @returns A part of a sentence that says whose word it is; undefined where nothing is trusted.
 * @throws Refusal('other_block' | 'other_chain' | 'no_source')
 */
export async function trusted(
  { chain, block }: Certificate,
  { block: hash, nodes = [] }: Trust,
): Promise<string | undefined> {
  if (hash !== undefined && hash.toLowerCase() !== block.hash) {
    throw new Refusal(
      'other_block',
      `The file is of block ${block.hash}, not of the one that you trust.`,
      false,
    )
  }
  await Promise.all(nodes.map((node) => checkNode(node, chain.id, block)))
  const words = [
    ...(hash === undefined ? [] : ['you name it']),
    ...(nodes.length === 0
      ? []
      : [`${nodes.map(({ name }) => quoted(name)).join(', ')} ${nodes.length === 1 ? 'has' : 'have'} it`]),
  ]
  return words.length === 0 ? undefined : words.join(', and ')
}

async function checkNode({ name, ask }: Source, chainId: number, block: Certificate['block']): Promise<void> {
  const [id, encoded] = await Promise.all([chainOf(ask), headerAt(ask, block.number)]).catch(() => [])
  if (id === undefined) {
    throw new Refusal('no_source', `The node ${quoted(name)} does not answer.`, false)
  }
  if (id !== chainId) {
    throw new Refusal('other_chain', `The node ${quoted(name)} is on chain ${id}, not on chain ${chainId}.`)
  }
  const header = encoded && decodeHeader(encoded)
  if (header?.number !== block.number) {
    throw new Refusal(
      'no_source',
      `The node ${quoted(name)} gives no header of block ${block.number}.`,
      false,
    )
  }
  if (header.hash !== block.hash) {
    throw new Refusal(
      'other_block',
      `The node ${quoted(name)} has another block ${block.number}: ${header.hash}.`,
    )
  }
}
