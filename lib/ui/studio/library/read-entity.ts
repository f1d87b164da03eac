import type { ChainClient } from '../../../client/chain.ts'
import type { ConnectorDefinition } from '../../../domain/definition.ts'
import type { Address, EntityKind } from '../../../domain/entity.ts'
import type { LibraryEntity } from '../document/library.ts'

/**
 * Reads one entity through the chain API.
 *
 * @throws {Error} When nobody can tell: no connection, or a server in trouble.
 */
export async function readEntity(
  chain: ChainClient,
  kind: EntityKind,
  name: string,
): Promise<LibraryEntity | 'absent'> {
  const params = { params: { path: { name } } }
  if (kind === 'connector') {
    const { data, response } = await chain.GET('/connector/{name}', params)
    if (data === undefined) return absentOrUnknown(response)
    return {
      kind,
      ...known(data),
      definition: definitionOfWire(data),
      formatHash: `0x${data.format_hash}`,
    }
  }
  const { data, response } =
    kind === 'transformation'
      ? await chain.GET('/transformation/{name}', params)
      : await chain.GET('/condition/{name}', params)
  if (data === undefined) return absentOrUnknown(response)
  return { kind, ...known(data), argsCount: data.args_count }
}

function absentOrUnknown(response: Response): 'absent' {
  if (response.status === 404) return 'absent'
  throw new Error(`The server answered ${response.status}`)
}

function known({ name, owner, address }: { name: string; owner: string; address: string }) {
  return {
    name,
    owner: `0x${owner}` as Address,
    address: address === '0x0' ? undefined : (address as Address),
  }
}

interface WireDefinition {
  readonly name: string
  readonly dimensions: readonly {
    readonly transformations: readonly { readonly name: string; readonly args: readonly number[] }[]
    readonly composite: string
    readonly bindings: Readonly<Record<string, string>>
  }[]
  readonly condition_name: string
  readonly condition_args: readonly number[]
  readonly static_ri: Readonly<
    Record<string, { readonly start_point: number; readonly transformation_shift: number }>
  >
}

function definitionOfWire(wire: WireDefinition): ConnectorDefinition {
  return {
    name: wire.name,
    dimensions: wire.dimensions.map(({ transformations, composite, bindings }) => ({
      transformations,
      composite,
      bindings: Object.entries(bindings)
        .map(([slot, name]) => ({ slot: Number(slot), name }))
        .sort((a, b) => a.slot - b.slot),
    })),
    conditionName: wire.condition_name,
    conditionArgs: wire.condition_args,
    staticRi: Object.entries(wire.static_ri)
      .map(([position, ri]) => ({
        position: Number(position),
        startPoint: ri.start_point,
        transformationShift: ri.transformation_shift,
      }))
      .sort((a, b) => a.position - b.position),
  }
}
