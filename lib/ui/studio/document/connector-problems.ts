import { MAX_DEPTH, MAX_LEAVES } from '../../../domain/leaves.ts'
import { callProblems, countOf, MAX_COUNT, tooMany } from './call-problems.ts'
import type { NodeRef } from './node-ref.ts'
import type { Parts } from './parts.ts'
import type { Problem, ProblemCode } from './problem.ts'
import { runningInstanceProblems } from './running-instance-problems.ts'
import type { Shapes } from './shapes.ts'
import type { ConnectorEntry, DraftDimension } from './types.ts'

/** What problems are found by looking at. */
export interface Look {
  readonly parts: Parts
  readonly shapes: Shapes
}

/** Everything wrong inside a connector; its own name is the document's matter. */
export function connectorProblems(entry: ConnectorEntry, look: Look): Problem[] {
  const at = { kind: 'entry', entryId: entry.id } as const
  const found: Problem[] = []
  if (entry.dimensions.length === 0) {
    found.push(error(at, 'no_dimensions', 'A connector needs at least one dimension.'))
  }
  for (const dimension of entry.dimensions) found.push(...dimensionProblems(entry, dimension, look))
  if (entry.condition !== null) {
    const condition = { kind: 'condition', entryId: entry.id } as const
    found.push(...callProblems('condition', entry.condition, condition, look.parts))
  }
  const shape = look.shapes.ofEntry(entry)
  if (shape === 'broken' && found.every(({ severity }) => severity === 'warning')) {
    const size = sizeProblem(entry, look)
    if (size !== undefined) found.push(size)
  }
  found.push(...runningInstanceProblems(entry, typeof shape === 'string' ? undefined : shape))
  return found
}

function dimensionProblems(entry: ConnectorEntry, dimension: DraftDimension, look: Look): Problem[] {
  const where = { entryId: entry.id, dimensionId: dimension.id }
  const found: Problem[] = []
  if (dimension.calls.length > MAX_COUNT) {
    found.push(tooMany({ kind: 'dimension', ...where }, dimension.calls.length, 'transformation'))
  }
  for (const call of dimension.calls) {
    const at = { kind: 'call', ...where, callId: call.id } as const
    found.push(...callProblems('transformation', call, at, look.parts))
  }
  const shape = dimension.composite === '' ? undefined : look.shapes.ofName(dimension.composite)
  if (dimension.composite !== '') {
    found.push(...partProblems(entry, dimension.composite, { kind: 'composite', ...where }, look))
  }
  for (const { slot, name } of dimension.bindings) {
    const at = { kind: 'binding', ...where, slot } as const
    if (dimension.composite === '') {
      const sentence = `Slot ${slot} is filled, but this dimension leads to no connector that has slots.`
      found.push(error(at, 'slot_without_composite', sentence))
    } else if (typeof shape === 'object' && slot >= shape.leaves.length) {
      const sentence = `${dimension.composite} has ${countOf(shape.leaves.length, 'slot')}, counted from 0: there is no slot ${slot}.`
      found.push(error(at, 'slot_missing', sentence))
    }
    if (name === '') found.push(error(at, 'part_unnamed', `Say which connector fills slot ${slot}.`))
    else found.push(...partProblems(entry, name, at, look))
  }
  return found
}

/** Problems of using a connector, by name, inside another. */
function partProblems(entry: ConnectorEntry, name: string, at: NodeRef, { parts, shapes }: Look): Problem[] {
  if (name === entry.name) {
    return [
      error(at, 'part_of_itself', `A connector cannot be a part of itself: ${name} has to exist first.`),
    ]
  }
  const part = parts.find('connector', name)
  if (part === 'absent') {
    return [error(at, 'part_missing', `There is no connector called ${name}. Create it, or choose another.`)]
  }
  if (part === 'unknown') return []
  if (leadsTo(name, entry.name, parts)) {
    const sentence = `${name} is made of ${entry.name} itself, so neither could ever exist first.`
    return [error(at, 'part_of_itself', sentence)]
  }
  if (part.from === 'library' && shapes.ofName(name) === 'broken') {
    return [error(at, 'part_broken', `The connector ${name} is not complete where it comes from.`)]
  }
  return []
}

/** Whether one connector of the document uses another, through any number of others. */
function leadsTo(from: string, target: string, parts: Parts): boolean {
  const seen = new Set<string>()
  const open = [from]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === target) return true
    if (seen.has(name)) continue
    seen.add(name)
    const part = parts.find('connector', name)
    if (typeof part === 'string' || part.from !== 'document' || part.entry.kind !== 'connector') continue
    for (const { composite, bindings } of part.entry.dimensions) {
      if (composite !== '') open.push(composite, ...bindings.map((binding) => binding.name))
    }
  }
  return false
}

/** A whole that is too large; undefined when one of its parts is broken already. */
function sizeProblem(entry: ConnectorEntry, { shapes }: Look): Problem | undefined {
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
    const sentence = `It would generate ${leaves} paths; a connector may have at most ${MAX_LEAVES}.`
    return error(at, 'too_many_leaves', sentence)
  }
  return error(at, 'too_deep', `It nests connectors more than ${MAX_DEPTH} deep.`)
}

function error(at: NodeRef, code: ProblemCode, sentence: string): Problem {
  return { at, severity: 'error', code, sentence }
}
