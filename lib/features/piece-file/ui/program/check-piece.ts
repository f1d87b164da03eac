import { hexToBytes, keccak256, sha256, stringToBytes } from 'viem/utils'
import { checkInput, computeRun } from '#lib/engine/recheck.ts'
import { parseAuthorMetadata } from '#lib/protocol/author-metadata.ts'
import { bundleListing } from '#lib/protocol/bundle-listing.ts'
import { readTree, type Tree } from '#lib/protocol/entity-tree.ts'
import { Refusal } from '#lib/protocol/refusal.ts'
import type { PieceData, WorldData, WorldFileData } from '../../data.ts'
import { bytesOf } from './file-bytes.ts'

/** One statement of a file, and whether it holds; undefined where the file cannot say. */
export interface Finding {
  readonly holds: boolean | undefined
  readonly sentence: string
}

/** The tree of a file. @throws Refusal where its code is not what belongs at the addresses. */
export function treeOf({ registry, entities }: Pick<PieceData, 'registry' | 'entities'>): Tree {
  return readTree(
    registry,
    entities.map(([kind, name, code]) => ({ kind, name, code: hexToBytes(code) })),
  )
}

/** The trees of the connectors that feed slots of the World. @throws Refusal as `treeOf`. */
export function slotTreesOf({ registry, slots = [] }: PieceData): readonly Tree[] {
  return slots.map((entities) => treeOf({ registry, entities }))
}

/** Checks everything that a file says against itself: code, words, World, values. */
export function checkPiece(piece: PieceData, world: WorldData | undefined): readonly Finding[] {
  const { publication, words, count, answer } = piece
  const findings: Finding[] = []
  const find = (holds: boolean | undefined, sentence: string) => findings.push({ holds, sentence })
  let tree: Tree
  let slots: readonly Tree[]
  try {
    tree = treeOf(piece)
    slots = slotTreesOf(piece)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [{ holds: false, sentence: `Code: ${error.message}` }]
  }
  const [address] = [...tree.entities.keys()]
  find(
    address === publication.address,
    `Code: ${tree.entities.size} parts, and the address that the registry gives to the first is ${address}.`,
  )
  find(
    tree.root.contentHash === publication.contentHash,
    `Definition: its content hash is ${tree.root.contentHash}.`,
  )
  for (const { entities, root } of slots) {
    const [at] = [...entities.keys()]
    find(undefined, `Code: ${root.name}, which feeds the World as well, belongs at ${at}: ask the registry.`)
  }
  if (words !== '') {
    const hash = keccak256(stringToBytes(words))
    find(hash === publication.metadataHash, `Words: the hash of title, licence and presentation is ${hash}.`)
  }
  const publishedBundleHash = parseAuthorMetadata(stringToBytes(words))?.present?.world?.bundle_hash
  if (world !== undefined) {
    const hash = bundleHashOf(world.files)
    find(
      hash === publishedBundleHash && hash === world.bundleHash,
      `World: the hash of its ${world.files.length} files is ${hash}.`,
    )
  }
  try {
    checkInput(tree)
    const computed = computeRun({ tree, count, starts: [] })
    const values = `${count * tree.root.leafCount} values`
    if (answer.outcome === 'particles') {
      const hash = keccak256(computed.output)
      find(
        computed.ok && hash === answer.hash,
        computed.ok
          ? `Values: computed again, the hash of all ${values} is ${hash}.`
          : 'Values: computed again, the run stops.',
      )
    } else if (answer.outcome === 'reverted') {
      find(
        !computed.ok,
        `Values: computed again, the run ${computed.ok ? 'ends' : 'stops, as the file says'}.`,
      )
    } else find(undefined, `Values: the file holds no hash of its ${values}.`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    find(error.refuted ? false : undefined, `Values: ${error.message}`)
  }
  return findings
}

/** Hashes a bundle again from its files. */
function bundleHashOf(files: readonly WorldFileData[]): string {
  const listed = files.map((file) => {
    const bytes = bytesOf(file)
    return { path: file.path, size: bytes.length, hash: sha256(bytes).slice(2) }
  })
  return sha256(stringToBytes(bundleListing(listed))).slice(2)
}

/** Sums the findings up in a sentence that claims no more. */
export function verdictOf({ chain, registry, publication }: PieceData, findings: readonly Finding[]): string {
  if (findings.some(({ holds }) => holds === false)) {
    return 'This file is not what it says: something in it was changed, or it was written wrongly.'
  }
  const rest = findings.every(({ holds }) => holds) ? '' : ' What is marked as open cannot be checked here.'
  return (
    `Consistent: if the registry ${registry} of chain ${chain.id} lists this connector at ${publication.address}, ` +
    `these are its code and its values.${rest} ` +
    'No file can show what a chain holds: ask a node of that chain, or an explorer that you trust, for the registry’s ' +
    'entry and for the code at the address. Author, block and transaction are told by the file as well.'
  )
}
