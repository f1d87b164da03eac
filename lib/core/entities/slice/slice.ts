import type { Context } from '#lib/core/context/context.ts'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { type Body, type InspectedBody, inspectBody } from './unsaved-body.ts'

/**
 * The part of an unsaved document that one connector needs. Names that are not in it mean what they mean on the
 * network: what is published, else the draft. What is in it goes before both.
 */
export interface Slice {
  readonly connectors: readonly ConnectorDefinition[]
  readonly bodies: readonly Body[]
}

/** Problem of an entry of the document. */
export interface SliceProblem {
  readonly kind: EntityKind
  readonly name: string
  readonly message: string
}

export type InspectedSlice = readonly (Body & { readonly result: InspectedBody })[]

/** Bodies whose full time a document may take. */
const MAX_SLOW_BODIES = 3

/**
 * Compiles the bodies of a document, one after another: a document takes one place in the compiler's queue.
 *
 * @throws Failure('overloaded'), Failure('rejected') when it takes too long.
 */
export async function compileSlice(ctx: Context, { bodies }: Slice): Promise<InspectedSlice> {
  const limitMs = MAX_SLOW_BODIES * ctx.config.compile.timeoutMs
  const timeout = AbortSignal.timeout(limitMs)
  const signal = AbortSignal.any([ctx.signal, timeout])
  const inspected = []
  try {
    for (const body of bodies) inspected.push({ ...body, result: await inspectBody(ctx, body, signal) })
  } catch (error) {
    if (!timeout.aborted || ctx.signal.aborted) throw error
    throw new Failure(
      'rejected',
      `The bodies take longer than ${limitMs / 1000} seconds to compile together; simplify them`,
    )
  }
  return inspected
}
