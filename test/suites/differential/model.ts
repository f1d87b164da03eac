import { encodeErrorResult, keccak256, parseAbi, stringToBytes } from 'viem'
import type {
  ConnectorDefinition,
  PositionedRunningInstance,
  RunningInstance,
} from '#lib/protocol/definition.ts'
import { CONDITIONS, panic, Reverted, TRANSFORMATIONS } from './bodies.ts'

/** More steps than a comparison is worth. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork'
}

export interface ModelStream {
  readonly path: string
  readonly data: readonly number[]
}

/** Replaces slot `n` of the connector being walked by a connector, with the replacements inside that one. */
type SlotMap = ReadonlyMap<number, { readonly connector: ConnectorDefinition; readonly inner: SlotMap }>

const MAX_UINT32 = 0xffff_ffff
const MAX_STEPS = 20_000
const errors = parseAbi(['error ConditionNotMet(bytes32)', 'error RunningInstanceStaticOverride(uint32)'])

function conditionNotMet(connector: string) {
  return new Reverted(
    encodeErrorResult({
      abi: errors,
      errorName: 'ConditionNotMet',
      args: [keccak256(stringToBytes(connector))],
    }),
  )
}
function staticOverride(position: number) {
  return new Reverted(
    encodeErrorResult({ abi: errors, errorName: 'RunningInstanceStaticOverride', args: [position] }),
  )
}

/**
 * A direct JavaScript model of the written semantics, sharing no code with the contracts: slots by recursion, values by
 * stepping from the start.
 */
export class Model {
  readonly #connectors = new Map<string, ConnectorDefinition>()

  define(definition: ConnectorDefinition): void {
    this.#connectors.set(definition.name, definition)
  }

  leafCount(name: string): number {
    return this.#get(name).dimensions.reduce((sum, d) => {
      if (d.composite === '') return sum + 1
      const bound = d.bindings.reduce((more, b) => more + this.leafCount(b.name) - 1, 0)
      return sum + this.leafCount(d.composite) + bound
    }, 0)
  }

  /** @throws Reverted with the revert data of a rejected run, TooMuchWork beyond the step limit. */
  run(name: string, count: number, dynamicRi: readonly PositionedRunningInstance[]): ModelStream[] {
    const root = this.#get(name)
    const dynamic = new Map(dynamicRi.map((ri) => [ri.position, ri] as const))
    const statics = new Map(root.staticRi.map((ri) => [ri.position, ri] as const))
    if (dynamic.has(0) && statics.has(0)) throw staticOverride(0)
    const start = (dynamic.get(0) ?? statics.get(0))?.startPoint ?? 0
    if (start + count - 1 > MAX_UINT32) throw panic(0x11)
    const streams: ModelStream[] = []
    let position = 1

    const walk = (
      path: string,
      connector: ConnectorDefinition,
      indices: readonly number[],
      slots: SlotMap,
    ) => {
      this.#checkCondition(connector)
      let open = 0
      connector.dimensions.forEach((dimension, d) => {
        const here = `${path}/${connector.name}:${d}`
        const composite = dimension.composite === '' ? undefined : this.#get(dimension.composite)
        const bound = composite === undefined ? slots.get(open) : undefined
        const next = composite ?? bound?.connector
        const p = position++
        const own =
          connector === root ? statics.get(p) : connector.staticRi.find((ri) => ri.position === d + 1)
        const scope = connector === root ? undefined : statics.get(p)
        if (dynamic.has(p) && (own ?? scope) !== undefined) throw staticOverride(p)
        const fallback = next?.staticRi.find((ri) => ri.position === 0)
        const ri = dynamic.get(p) ?? own ?? scope ?? fallback ?? { startPoint: 0, transformationShift: 0 }
        const values = this.#values(dimension.transformations, ri, indices)
        if (composite !== undefined) {
          const inner = new Map<number, { connector: ConnectorDefinition; inner: SlotMap }>()
          for (let slot = 0; slot < this.leafCount(composite.name); slot++) {
            const target = dimension.bindings.find((b) => b.slot === slot)
            if (target === undefined) {
              const passed = slots.get(open++)
              if (passed !== undefined) inner.set(slot, passed)
              continue
            }
            const width = this.leafCount(target.name)
            const below = new Map<number, { connector: ConnectorDefinition; inner: SlotMap }>()
            for (let j = 0; j < width; j++) {
              const passed = slots.get(open + j)
              if (passed !== undefined) below.set(j, passed)
            }
            open += width
            inner.set(slot, { connector: this.#get(target.name), inner: below })
          }
          walk(here, composite, values, inner)
          return
        }
        open++
        if (bound !== undefined) walk(here, bound.connector, values, bound.inner)
        else streams.push({ path: here, data: values })
      })
    }
    walk(
      '',
      root,
      Array.from({ length: count }, (_, i) => start + i),
      new Map(),
    )
    return streams
  }

  #checkCondition(connector: ConnectorDefinition): void {
    if (connector.conditionName === '') return
    const condition = CONDITIONS.find((c) => c.name === connector.conditionName)!
    if (!condition.model(connector.conditionArgs)) throw conditionNotMet(connector.name)
  }

  #values(
    calls: ConnectorDefinition['dimensions'][number]['transformations'],
    ri: RunningInstance,
    indices: readonly number[],
  ): number[] {
    if (calls.length === 0) return indices.map(() => ri.startPoint)
    const last = indices.reduce((max, i) => Math.max(max, i), 0)
    if (last > MAX_STEPS) throw new TooMuchWork()
    const sequence = [ri.startPoint]
    for (let k = 1; k <= last; k++) {
      if (calls.length > 1 && ri.transformationShift + k > MAX_UINT32) throw panic(0x11)
      const call = calls[(ri.transformationShift + k - 1) % calls.length]!
      const transformation = TRANSFORMATIONS.find((t) => t.name === call.name)!
      sequence.push(transformation.model(sequence[k - 1]!, call.args))
    }
    return indices.map((i) => sequence[i]!)
  }

  #get(name: string): ConnectorDefinition {
    return this.#connectors.get(name)!
  }
}
