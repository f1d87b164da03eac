import { type BlockText, createNames } from './block-text.ts'
import { type Flow, type Node, waysOf } from './flow.ts'
import type { Exit, Way } from './interpret.ts'
import { shapeOf } from './shape.ts'
import { slotOf, type Value } from './value.ts'
import { createText, writeEffects } from './write-block.ts'

// Deeper code is too much for the stacks of ours and of JavaScript parsers.
const DEPTH_LIMIT = 500

class TooDeep extends Error {}

type Ending = Extract<Exit, { kind: 'returned' | 'reverted' | 'declined' }>

/**
 * The flow as the body of a function of `m`, the frame: loops are loops and stack slots are variables, which is what
 * a JavaScript engine compiles best. Nested as N. Ramsey, "Beyond Relooper" (2022), does it: what a node dominates is
 * written inside it, and nodes that several ways lead to follow a block that those ways break out of.
 *
 * @returns `undefined` where a loop has two ways in, or blocks lie too deeply in each other.
 */
export function writeStructured(flow: Flow): string | undefined {
  const shape = shapeOf(flow)
  const first = flow.nodes[0]
  if (shape === undefined || first === undefined) return undefined
  const names = createNames()
  const lines: string[] = []

  let depth = 0

  const writeNode = (node: Node, text: BlockText): void => {
    if (shape.isLoop(node)) lines.push(`l${node.index}: for (;;) {`, `m.take(${shape.roundSize(node)})`)
    writeMerges(node, shape.mergesUnder(node), text)
    if (shape.isLoop(node)) lines.push('}')
  }

  const writeMerges = (node: Node, merges: readonly Node[], text: BlockText): void => {
    const [outer, ...rest] = merges
    if (++depth > DEPTH_LIMIT) throw new TooDeep()
    if (outer === undefined) {
      writeOwn(node, text)
    } else {
      lines.push(`b${outer.index}: {`)
      writeMerges(node, rest, text)
      lines.push('}')
      writeNode(outer, createText(names))
    }
    depth--
  }

  const writeOwn = (node: Node, text: BlockText): void => {
    const { run } = node
    writeEffects(text, run, names)
    const [taken, otherwise] = waysOf(run.exit)
    const [first, second] = node.successors
    if (run.exit.kind === 'branch' && taken && otherwise && first && second) {
      // No way falls through, so that one of them needs no brackets: not the one that may be long.
      const condition = text.condition(run.exit.condition)
      const isShort = second.successors.length === 0
      lines.push(...text.lines, `if (${isShort ? '!' : ''}${condition}) {`)
      if (isShort) writeWay(node, second, otherwise, text.inside())
      else writeWay(node, first, taken, text.inside())
      lines.push('}')
      if (isShort) writeWay(node, first, taken, text.inside())
      else writeWay(node, second, otherwise, text.inside())
    } else if (run.exit.kind === 'jump' && taken && first) {
      lines.push(...text.lines)
      writeWay(node, first, taken, text.inside())
    } else {
      const ending = endingText(text, run.exit as Ending)
      lines.push(...text.lines, ending)
    }
  }

  const writeWay = (from: Node, to: Node, way: Way, text: BlockText): void => {
    if (to.entry !== undefined) {
      writeNode(to, text)
      return
    }
    const moves = movesTo(to, way.stack).map(([slot, value]) => [slot, text.text(value)] as const)
    lines.push(...text.lines, ...parallel(moves, names.next))
    if (shape.isBack(from, to)) lines.push(`continue l${to.index}`)
    else if (shape.isMerge(to)) lines.push(`break b${to.index}`)
    else writeNode(to, createText(names))
  }

  try {
    writeNode(first, createText(names))
  } catch (error) {
    if (error instanceof TooDeep) return undefined
    throw error
  }
  const slots = Math.max(1, ...flow.nodes.map((node) => node.facts.length))
  return [`let ${Array.from({ length: slots }, (_, slot) => `s${slot}`).join(', ')}`, ...lines].join('\n')
}

export function endingText(block: BlockText, exit: Ending): string {
  if (exit.kind === 'declined') return `m.decline('${exit.why}')`
  return `return m.${exit.kind}(${block.text(exit.offset)}, ${block.text(exit.length)})`
}

/** Which slots get which words, where the block that is reached does not know them anyway. */
function movesTo(to: Node, stack: readonly Value[]): [slot: number, value: Value][] {
  return stack.flatMap((value, slot): [number, Value][] =>
    to.facts[slot]?.constant !== undefined || slotOf(value) === slot ? [] : [[slot, value]],
  )
}

/** Assignments that happen as if at once: a slot that is read after it is written is put aside. */
function parallel(moves: readonly (readonly [number, string])[], fresh: () => string): string[] {
  const written = new Set<string>()
  const aside = new Map<string, string>()
  for (const [slot, text] of moves) {
    if (written.has(text)) aside.set(text, fresh())
    written.add(`s${slot}`)
  }
  return [
    ...[...aside].map(([text, name]) => `const ${name} = ${text}`),
    ...moves.map(([slot, text]) => `s${slot} = ${aside.get(text) ?? text}`),
  ]
}
