import type { ConnectorDefinition, PositionedRunningInstance } from './definition.ts'
import type { Address, EntityKind, Hex } from './entity.ts'

/**
 * The data that a published connector is: names of dependencies resolved to addresses, everything big-endian and
 * packed. `contracts/README.md` explains the layout; `contracts/ConnectorBuilder.sol` writes the same bytes.
 *
 * ```
 * connector  00 (STOP), version u8, leaf count u16, depth u16, dimension count u16,
 *            name length u8, name,
 *            condition: 00 | 01, address, argument count u16, arguments i32…
 *            running instance count u16, (position u32, start point u32, shift u32)…
 *            dimension…
 * dimension  call count u16, (address, argument count u16, arguments u32…)…
 *            composite: 00 | 01, address, binding count u16, (slot u16, address)…
 * ```
 */
const PREFIX = '0001'

/** Largest count that fits the layout. */
const MAX_COUNT = 0xffff

/**
 * Writes connector data, byte for byte as the registry does.
 *
 * @param addressOf where a dependency lives.
 * @param leafCount final scalars of the expanded connector.
 * @param depth see `ConnectorArtifact.depth`.
 * @throws RangeError when a count does not fit the layout.
 */
export function encodeConnectorCode(
  definition: ConnectorDefinition,
  addressOf: (kind: EntityKind, name: string) => Address,
  leafCount: number,
  depth: number,
): Hex {
  const { name, dimensions, conditionName, conditionArgs, staticRi } = definition
  const parts = [PREFIX, count(leafCount), count(depth), count(dimensions.length)]
  parts.push(unsigned(name.length, 1), ascii(name))
  if (conditionName === '') parts.push('00')
  else parts.push('01', reference('condition', conditionName), numbers(conditionArgs))
  parts.push(count(staticRi.length))
  for (const { position, startPoint, transformationShift } of staticRi) {
    parts.push(word(position), word(startPoint), word(transformationShift))
  }
  for (const { transformations, composite, bindings } of dimensions) {
    parts.push(count(transformations.length))
    for (const call of transformations) parts.push(reference('transformation', call.name), numbers(call.args))
    if (composite === '') {
      parts.push('00')
      continue
    }
    parts.push('01', reference('connector', composite), count(bindings.length))
    for (const binding of bindings) parts.push(count(binding.slot), reference('connector', binding.name))
  }
  return `0x${parts.join('')}`

  function reference(kind: EntityKind, dependency: string): string {
    return addressOf(kind, dependency).slice(2).toLowerCase()
  }
}

/** Decoded connector data: a `ConnectorDefinition` with addresses in place of names. */
export interface ConnectorCode {
  readonly name: string
  readonly leafCount: number
  readonly depth: number
  readonly condition: { readonly address: Address; readonly args: readonly number[] } | undefined
  readonly staticRi: readonly PositionedRunningInstance[]
  readonly dimensions: readonly DimensionCode[]
}

export interface DimensionCode {
  readonly calls: readonly { readonly address: Address; readonly args: readonly number[] }[]
  readonly composite:
    | {
        readonly address: Address
        readonly bindings: readonly { readonly slot: number; readonly address: Address }[]
      }
    | undefined
}

/** Reads connector data. @throws Error when `code` is not exactly one connector. */
export function decodeConnectorCode(code: Hex): ConnectorCode {
  const bytes = code.slice(2)
  let at = 0
  const take = (size: number): string => {
    const end = at + size * 2
    if (end > bytes.length) throw new Error('connector data ends early')
    const text = bytes.slice(at, end)
    at = end
    return text
  }
  const number = (size: number): number => Number.parseInt(take(size), 16)
  const list = <T>(length: number, read: () => T): T[] => Array.from({ length }, read)
  const address = (): Address => `0x${take(20).toLowerCase()}`
  const flag = (): boolean => {
    const value = number(1)
    if (value > 1) throw new Error('connector data has a flag that is neither 0 nor 1')
    return value === 1
  }

  if (take(2) !== PREFIX) throw new Error('not connector data of a known version')
  const leafCount = number(2)
  const depth = number(2)
  const dimensionCount = number(2)
  const name = list(number(1), () => String.fromCharCode(number(1))).join('')
  const condition = flag() ? { address: address(), args: list(number(2), () => number(4) | 0) } : undefined
  const staticRi = list(number(2), () => ({
    position: number(4),
    startPoint: number(4),
    transformationShift: number(4),
  }))
  const dimensions = list(dimensionCount, () => ({
    calls: list(number(2), () => ({ address: address(), args: list(number(2), () => number(4)) })),
    composite: flag()
      ? { address: address(), bindings: list(number(2), () => ({ slot: number(2), address: address() })) }
      : undefined,
  }))
  if (at !== bytes.length) throw new Error('connector data has bytes after its end')
  return { name, leafCount, depth, condition, staticRi, dimensions }
}

function unsigned(value: number, size: number): string {
  return value.toString(16).padStart(size * 2, '0')
}

function count(value: number): string {
  if (value > MAX_COUNT) throw new RangeError(`${value} does not fit connector data, at most ${MAX_COUNT}`)
  return unsigned(value, 2)
}

/** 32 bits; negative numbers in two's complement. */
function word(value: number): string {
  return unsigned(value >>> 0, 4)
}

function numbers(values: readonly number[]): string {
  return count(values.length) + values.map(word).join('')
}

/** Entity names are ASCII. */
function ascii(text: string): string {
  return Array.from(text, (character) => unsigned(character.charCodeAt(0), 1)).join('')
}
