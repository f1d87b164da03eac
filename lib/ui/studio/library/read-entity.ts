import type { ChainClient } from '../../../client/chain.ts'
import type { Address, EntityKind } from '../../../domain/entity.ts'
import { definitionOfWire } from '../document/definition-of-wire.ts'
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
