import { decodeConnectorCode } from '../domain/connector-code.ts'
import type { ConnectorDefinition } from '../domain/definition.ts'
import type { Address, Hex } from '../domain/entity.ts'
import type { WriterSql } from './writer.ts'

/**
 * The definition that a connector's code on chain stands for, addresses turned back into the names registered at
 * them.
 *
 * @returns undefined when the code is not connector data, or an address is unknown.
 */
export const codeDefinition = async (
  sql: WriterSql,
  name: string,
  code: Hex,
): Promise<ConnectorDefinition | undefined> => {
  const data = parse(code)
  if (data === undefined || data.name !== name) return undefined
  const addresses = new Set<Address>(data.condition ? [data.condition.address] : [])
  for (const { calls, composite } of data.dimensions) {
    for (const call of calls) addresses.add(call.address)
    if (composite) addresses.add(composite.address)
    for (const binding of composite?.bindings ?? []) addresses.add(binding.address)
  }
  const rows = await sql<{ address: Address; name: string }[]>`
    select address, name from entities where address = any(${[...addresses]})`
  if (rows.length < addresses.size) return undefined
  const names = new Map(rows.map((row) => [row.address, row.name]))
  const nameAt = (address: Address): string => names.get(address) as string
  return {
    name,
    dimensions: data.dimensions.map(({ calls, composite }) => ({
      transformations: calls.map(({ address, args }) => ({ name: nameAt(address), args })),
      composite: composite ? nameAt(composite.address) : '',
      bindings: (composite?.bindings ?? []).map(({ slot, address }) => ({ slot, name: nameAt(address) })),
    })),
    conditionName: data.condition ? nameAt(data.condition.address) : '',
    conditionArgs: data.condition?.args ?? [],
    staticRi: data.staticRi,
  }
}

const parse = (code: Hex) => {
  try {
    return decodeConnectorCode(code)
  } catch {
    return undefined
  }
}
