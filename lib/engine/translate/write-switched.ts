import { MAX_WORD } from '../ranges.ts'
import { type BlockText, createNames, type Names } from './block-text.ts'
import type { Block, Code } from './blocks.ts'
import { type Exit, interpret, type Way } from './interpret.ts'
import { slotOf, type Value } from './value.ts'
import { createText, writeEffects } from './write-block.ts'
import { endingText } from './write-structured.ts'

/**
 * Any code as the body of a function of `m`, the frame: its blocks are the cases of a switch, and the stack is an
 * array. Slower than structured code, but jumps may go anywhere.
 */
export function writeSwitched(code: Code): string {
  const names = createNames()
  const cases = [...code.blocks.values()].flatMap((block) => [
    `case ${block.pc}: {`,
    ...writeCase(code, block, names),
    '}',
  ])
  return [
    `const S = new Array(${STACK_LIMIT})`,
    'let p = 0, n = 0',
    'for (;;) {',
    'm.take(1)',
    'switch (p) {',
    ...cases,
    `case ${code.bytes.length}: return m.returned(0, 0)`,
    "default: m.decline('failure')",
    '}',
    '}',
  ].join('\n')
}

const STACK_LIMIT = 1024

function writeCase(code: Code, block: Block, names: Names): string[] {
  const { takes, grows } = reachOf(block)
  const entry = Array.from({ length: takes }, (_, slot): Value => ({ high: MAX_WORD, slot }))
  const run = interpret(code, block, entry, 0)
  const text = createText(names)
  writeEffects(text, run, names)
  const exit = writeExit(text, run.exit, takes)
  const fails = [...(takes > 0 ? [`n < ${takes}`] : []), ...(grows > 0 ? [`n > ${STACK_LIMIT - grows}`] : [])]
  return [
    ...(fails.length > 0 ? [`if (${fails.join(' || ')}) m.decline('failure')`] : []),
    ...entry.map((_, slot) => `const s${slot} = S[n - ${takes - slot}]`),
    ...text.lines,
    ...exit,
  ]
}

function writeExit(block: BlockText, exit: Exit, takes: number): string[] {
  if (exit.kind === 'jump') return writeWay(block.inside(), exit.way, takes)
  if (exit.kind !== 'branch') return [endingText(block, exit)]
  const condition = block.condition(exit.condition)
  const taken = writeWay(block.inside(), exit.taken, takes)
  const otherwise = writeWay(block.inside(), exit.otherwise, takes)
  return [`if ${condition} {`, ...taken, '} else {', ...otherwise, '}']
}

function writeWay(block: BlockText, { to, stack }: Way, takes: number): string[] {
  const place = typeof to === 'number' ? to : `m.place(${block.text(to)})`
  const stores = stack.flatMap((value, slot) =>
    slotOf(value) === slot ? [] : [`S[n + ${slot - takes}] = ${block.text(value)}`],
  )
  const moves = stack.length === takes ? [] : [`n += ${stack.length - takes}`]
  return [...block.lines, ...stores, ...moves, `p = ${place}`, 'continue']
}

/** How many words a block takes from the stack it finds, and how far that grows meanwhile. */
function reachOf(block: Block): { readonly takes: number; readonly grows: number } {
  let height = 0
  let takes = 0
  let grows = 0
  for (const { definition } of block.instructions) {
    if (definition === undefined) break
    takes = Math.max(takes, definition.takes - height)
    height += definition.gives - definition.takes
    grows = Math.max(grows, height)
  }
  return { takes, grows }
}
