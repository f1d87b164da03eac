import type { CodeInfo, ConnectorInfo, WorldCalls } from '#lib/core/worlds/sdk/protocol.ts'
import { definitionWire } from '#lib/protocol/definition-wire.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'
import type { Tree } from '#lib/protocol/entity-tree.ts'
import type { PieceData } from '../../data.ts'
import type { Tasks } from './tasks.ts'

/** Calls of a World that a file answers: the parts of the piece, and runs of them. All else is refused. */
export function fileCalls(piece: PieceData, tree: Tree, tasks: Tasks): WorldCalls {
  const { author } = piece.publication
  const addresses = new Map(
    [...tree.entities].map(([address, { kind, name }]) => [`${kind}/${name}`, address] as const),
  )
  const exists = (kind: EntityKind) => async (name: string) => addresses.has(`${kind}/${name}`)
  const partOf = (kind: EntityKind, name: string) => {
    const part = tree.built.find((each) => each.kind === kind && each.name === name)
    if (part === undefined) throw absent()
    return { part, address: addresses.get(`${kind}/${name}`) as Address }
  }
  const code =
    (kind: 'transformation' | 'condition') =>
    async (name: string): Promise<CodeInfo> => {
      const { part, address } = partOf(kind, name)
      return { name, args_count: 'argsCount' in part ? part.argsCount : 0, owner: author, address }
    }
  const simulate: WorldCalls['simulate'] = async (connector, count, dynamicRi = {}) => {
    const starts = Object.entries(dynamicRi)
      .map(([position, { start_point, transformation_shift }]) => ({
        position: Number(position),
        startPoint: start_point,
        transformationShift: transformation_shift,
      }))
      .sort((a, b) => a.position - b.position)
    const answer = await tasks.run({ connector, count: Number(count), turns: [], starts })
    if ('problem' in answer) throw Object.assign(new Error(answer.problem), { status: 400 })
    return answer.streams
  }
  const none = async (): Promise<never> => {
    throw absent()
  }
  return {
    connectorGet: async (name): Promise<ConnectorInfo> => {
      const { part, address } = partOf('connector', name)
      if (part.kind !== 'connector') throw absent()
      return {
        name,
        ...definitionWire(part.definition),
        owner: author,
        address,
        format_hash: part.formatHash,
      }
    },
    connectorExists: exists('connector'),
    transformationGet: code('transformation'),
    transformationExists: exists('transformation'),
    conditionGet: code('condition'),
    conditionExists: exists('condition'),
    listFormats: none,
    formatInfo: none,
    feed: none,
    // Published code that reads nothing but its input gives the same at any block.
    execute: async (...run) => ({
      block_number: piece.publication.block,
      block_hash: piece.publication.blockHash,
      runner: piece.runner,
      particles: await simulate(...run),
    }),
    simulate,
  }
}

function absent(): Error {
  return Object.assign(new Error('It is not in this file'), { status: 404 })
}
