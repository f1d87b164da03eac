import { counted, formatInteger } from '#lib/browser/format.ts'
import { INT32, readNumber, UINT32 } from '#lib/browser/typed-number.ts'
import { MAX_DEPTH, MAX_LEAVES } from '#lib/protocol/format-hash.ts'
import { kindWord } from '#lib/protocol/kind-name.ts'
import type { Position } from '#lib/protocol/positions.ts'
import type { NodeRef } from './node-ref.ts'
import { argsCountOfPart, leadsTo, type Parts } from './parts.ts'
import { positionsOf } from './positions-of.ts'
import type { Problem, ProblemCode } from './problem.ts'
import type { Shape, Shapes } from './shapes.ts'
import type { ConnectorEntry, DraftDimension } from './types.ts'

/** Sources in which problems are found. */
export interface Sources {
  readonly parts: Parts
  readonly shapes: Shapes
}

/**
 * Problems inside a connector; those of its name are found by `problems`.
 *
 * @param isPart Whether another connector of the document is made of it.
 */
export function connectorProblems(entry: ConnectorEntry, sources: Sources, isPart: boolean): Problem[] {
  const at = { kind: 'entry', entryId: entry.id } as const
  const problems: Problem[] = []
  if (entry.dimensions.length === 0) {
    problems.push(error(at, 'no_dimensions', 'A piece needs at least one voice.'))
  }
  for (const dimension of entry.dimensions) problems.push(...dimensionProblems(entry, dimension, sources))
  if (entry.condition !== null) {
    const condition = { kind: 'condition', entryId: entry.id } as const
    problems.push(...callProblems('condition', entry.condition, condition, sources.parts))
  }
  const shape = sources.shapes.ofEntry(entry)
  if (shape === 'broken' && problems.every(({ severity }) => severity === 'warning')) {
    const size = sizeProblem(entry, sources)
    if (size !== undefined) problems.push(size)
  }
  problems.push(...runningInstanceProblems(entry, typeof shape === 'string' ? undefined : shape, isPart))
  return problems
}

function dimensionProblems(entry: ConnectorEntry, dimension: DraftDimension, sources: Sources): Problem[] {
  const where = { entryId: entry.id, dimensionId: dimension.id }
  const problems: Problem[] = []
  if (dimension.calls.length > MAX_COUNT) {
    problems.push(tooMany({ kind: 'dimension', ...where }, dimension.calls.length, 'step'))
  }
  for (const call of dimension.calls) {
    const at = { kind: 'call', ...where, callId: call.id } as const
    problems.push(...callProblems('transformation', call, at, sources.parts))
  }
  const shape = dimension.composite === '' ? undefined : sources.shapes.ofName(dimension.composite)
  if (dimension.composite !== '') {
    problems.push(...partProblems(entry, dimension.composite, { kind: 'composite', ...where }, sources))
  }
  for (const { slot, name } of dimension.bindings) {
    const at = { kind: 'binding', ...where, slot } as const
    if (dimension.composite === '') {
      const sentence = `Part ${slot + 1} is filled, but this voice plays no piece that has parts.`
      problems.push(error(at, 'slot_without_composite', sentence))
    } else if (typeof shape === 'object' && slot >= shape.leaves.length) {
      const sentence = `${dimension.composite} has ${counted(shape.leaves.length, 'part')}: there is no part ${slot + 1}.`
      problems.push(error(at, 'slot_missing', sentence))
    }
    if (name === '')
      problems.push(error(at, 'part_unnamed', `Say which piece plays in place of part ${slot + 1}.`))
    else problems.push(...partProblems(entry, name, at, sources))
  }
  return problems
}

/** Problems of using a connector, by name, inside another. */
function partProblems(
  entry: ConnectorEntry,
  name: string,
  at: NodeRef,
  { parts, shapes }: Sources,
): Problem[] {
  if (name === entry.name) {
    return [error(at, 'part_of_itself', `A piece cannot be a part of itself: ${name} has to exist first.`)]
  }
  const part = parts.find('connector', name)
  if (part === 'absent') {
    return [error(at, 'part_missing', `There is no piece called ${name}. Create it, or choose another.`)]
  }
  if (part === 'unknown') return []
  if (leadsTo(parts, name, (reached) => reached === entry.name)) {
    const sentence = `${name} is made of ${entry.name} itself, so neither could ever exist first.`
    return [error(at, 'part_of_itself', sentence)]
  }
  if (part.from === 'library' && shapes.ofName(name) === 'broken') {
    return [error(at, 'part_broken', `The piece ${name} is not complete where it comes from.`)]
  }
  return []
}

/** A whole that is too large; undefined when one of its parts is broken already. */
function sizeProblem(entry: ConnectorEntry, { shapes }: Sources): Problem | undefined {
  const at = { kind: 'entry', entryId: entry.id } as const
  let leaves = 0
  for (const { composite, bindings } of entry.dimensions) {
    leaves += 1
    for (const name of composite === '' ? [] : [composite, ...bindings.map((binding) => binding.name)]) {
      const shape = shapes.ofName(name)
      if (typeof shape === 'string') return undefined
      leaves += shape.leaves.length - 1
    }
  }
  if (leaves > MAX_LEAVES) {
    const sentence = `It would have ${leaves} voices; a piece may have at most ${MAX_LEAVES}.`
    return error(at, 'too_many_leaves', sentence)
  }
  return error(at, 'too_deep', `It nests pieces more than ${MAX_DEPTH} deep.`)
}

function error(at: NodeRef, code: ProblemCode, sentence: string): Problem {
  return { at, severity: 'error', code, sentence }
}

/**
 * Problems of the static running instances of a connector.
 *
 * @param shape Undefined while it is not known how the connector is put together.
 */
function runningInstanceProblems(
  entry: ConnectorEntry,
  shape: Shape | undefined,
  isPart: boolean,
): Problem[] {
  const problems: Problem[] = []
  if (entry.staticRi.length > MAX_COUNT) {
    problems.push(tooMany({ kind: 'entry', entryId: entry.id }, entry.staticRi.length, 'start'))
  }
  const positions = shape === undefined ? undefined : positionsOf(shape)
  for (const { position, startPoint, transformationShift } of entry.staticRi) {
    const at = { kind: 'running-instance', entryId: entry.id, position } as const
    for (const [name, text] of [
      ['startPoint', startPoint],
      ['transformationShift', transformationShift],
    ] as const) {
      const read = readNumber(text, UINT32)
      if (!read.ok) {
        const problem = {
          severity: 'error',
          code: 'instance_invalid',
          sentence: withNextStep(read.sentence, UINT32),
        } as const
        problems.push({ at, field: { name }, ...problem })
      }
    }
    if (positions === undefined || position === 0) continue
    const sentence = strayInstance(entry, position, positions, isPart)
    if (sentence !== undefined) problems.push({ at, severity: 'warning', ...sentence })
  }
  return problems
}

/**
 * A running instance without effect, or, where the connector is a part, with another one there: a nested connector reads
 * its own instances by dimension, not by position.
 */
function strayInstance(
  { name, dimensions }: ConnectorEntry,
  position: number,
  positions: readonly Position[],
  isPart: boolean,
): Pick<Problem, 'code' | 'sentence'> | undefined {
  const met = positions[position - 1]
  if (met === undefined) {
    const sentence = `Start ${position} starts nothing: the last one is ${positions.length}.`
    return { code: 'instance_unused', sentence }
  }
  if (!isPart || met.path === `/${name}:${position - 1}`) return undefined
  const own = name === '' ? 'this piece' : name
  const nested =
    position <= dimensions.length
      ? `it is read for voice ${position} of ${own} instead.`
      : 'it is not read at all.'
  return {
    code: 'instance_shadowed',
    sentence: `Start ${position} is that of ${met.path} when ${own} plays by itself. As a part of another piece, ${nested}`,
  }
}

/** Longest list in a connector: connector data on chain counts everything in 16 bits. */
export const MAX_COUNT = 65_535

/** Problems of one use of a transformation or condition: its name, how many arguments, and each of them. */
function callProblems(
  kind: 'transformation' | 'condition',
  call: { readonly name: string; readonly args: readonly string[] },
  at: NodeRef,
  parts: Parts,
): Problem[] {
  const problems: Problem[] = []
  if (call.name === '') {
    problems.push({
      at,
      severity: 'error',
      code: 'part_unnamed',
      sentence: `Say which ${kindWord(kind)} it is.`,
    })
  } else {
    const part = parts.find(kind, call.name)
    if (part === 'absent') {
      const sentence = `There is no ${kindWord(kind)} called ${call.name}. Create it, or choose another.`
      problems.push({ at, severity: 'error', code: 'part_missing', sentence })
    }
    const takes = argsCountOfPart(part)
    if (takes !== undefined && takes !== call.args.length) {
      const sentence = `${call.name} takes ${counted(takes, 'number')}; ${counted(call.args.length, 'is', 'are')} given.`
      problems.push({ at, severity: 'error', code: 'arguments_count', sentence })
    }
  }
  const range = kind === 'transformation' ? UINT32 : INT32
  call.args.forEach((text, index) => {
    const read = readNumber(text, range)
    if (read.ok) return
    const field = { name: 'args', index } as const
    const sentence = withNextStep(read.sentence, range)
    problems.push({ at, field, severity: 'error', code: 'argument_invalid', sentence })
  })
  if (call.args.length > MAX_COUNT) problems.push(tooMany(at, call.args.length, 'number'))
  return problems
}

function withNextStep(
  sentence: string,
  { min, max }: { readonly min: number; readonly max: number },
): string {
  if (sentence.includes(' is outside ')) return `${sentence} Drag it back, or type another.`
  return `${sentence} Type one from ${formatInteger(min)} to ${formatInteger(max)}.`
}

export function tooMany(at: NodeRef, amount: number, thing: string): Problem {
  const sentence = `There are ${counted(amount, thing)} here, more than ${MAX_COUNT}.`
  return { at, severity: 'error', code: 'too_many', sentence }
}
