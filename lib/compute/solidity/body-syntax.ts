import type { WrappedBody } from './wrap.ts'

/** A node of the compiler's syntax tree; properties that not every node has are read by name. */
export interface SyntaxNode {
  readonly nodeType: string
  /** `<byte offset>:<byte length>:<file>`. */
  readonly src: string
  readonly [property: string]: unknown
}

export function isSyntaxNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === 'object' && value !== null && 'nodeType' in value && typeof value.nodeType === 'string'
  )
}

/** Child nodes held in a property; empty when there are none. */
function nodesIn(node: SyntaxNode, property: string): SyntaxNode[] {
  const value = node[property]
  return Array.isArray(value) ? value.filter(isSyntaxNode) : []
}

function nodeIn(node: SyntaxNode, property: string): SyntaxNode | undefined {
  const value = node[property]
  return isSyntaxNode(value) ? value : undefined
}

/** Byte range of a node in its source. */
export function extent(node: SyntaxNode): { start: number; end: number } {
  const [start, length] = node.src.split(':').map(Number)
  return { start: start!, end: start! + length! }
}

/** A node and everything below it. Iterative: authors decide how deep the tree is. */
function* descendants(root: SyntaxNode): Generator<SyntaxNode> {
  const pending: unknown[] = [root]
  while (pending.length > 0) {
    const value = pending.pop()
    if (Array.isArray(value)) for (const item of value) pending.push(item)
    else if (typeof value === 'object' && value !== null) {
      if (isSyntaxNode(value)) yield value
      for (const item of Object.values(value)) if (typeof item === 'object') pending.push(item)
    }
  }
}

const LOOPS = new Set(['ForStatement', 'WhileStatement', 'DoWhileStatement', 'YulForLoop'])

/** Loops inside each other at the deepest place below a node: the optimiser takes twice as long for each. */
export function loopDepth(root: SyntaxNode): number {
  const pending: [value: unknown, depth: number][] = [[root, 0]]
  let deepest = 0
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, depth] = next
    const inside = isSyntaxNode(value) && LOOPS.has(value.nodeType) ? depth + 1 : depth
    deepest = Math.max(deepest, inside)
    for (const item of Object.values(value as object))
      if (typeof item === 'object' && item !== null) pending.push([item, inside])
  }
  return deepest
}

/** Error message for a body that leaves its function, mostly by accident. */
export const ESCAPE_TEXT =
  'the text must be exactly one function body: it closes a brace that it did not open, which would add other functions, contracts or imports'

/**
 * Whether the parsed source is the wrapper with one body filled in and nothing else. The block of the function that
 * carries the body must begin and end exactly at the wrapper's braces: then everything of the author lies inside that
 * block, where the language allows no declarations but variables, and the text around it is the wrapper's own. The
 * declarations are compared with those of a harmless body as well, which holds even where brace positions deceive.
 *
 * @param tree Source unit as parsed; types need not be resolved.
 * @param harmless The same wrapper around a body that is known to be one.
 * @returns false when the body reaches out of its function.
 */
export function isExactlyOneBody(
  tree: SyntaxNode,
  wrapped: WrappedBody,
  body: string,
  harmless: SyntaxNode,
): boolean {
  if (declarations(tree) !== declarations(harmless)) return false
  const block = nodeIn(bodyFunction(tree), 'body')
  if (block === undefined) return false
  const { start, end } = extent(block)
  const widening = Buffer.byteLength(body) - body.length
  const open = wrapped.source.lastIndexOf('{', wrapped.bodyStart - 1)
  const close = wrapped.source.indexOf('}', wrapped.bodyStart + body.length)
  return start === open && end === close + 1 + widening
}

/** The function that carries the body: the first one of the only contract. */
export function bodyFunction(tree: SyntaxNode): SyntaxNode {
  const contract = nodesIn(tree, 'nodes').find(({ nodeType }) => nodeType === 'ContractDefinition')
  return nodesIn(contract!, 'nodes').find(({ nodeType }) => nodeType === 'FunctionDefinition')!
}

/** Declarations of the file and of the contracts in it, in order. */
function declarations(tree: SyntaxNode): string {
  return JSON.stringify(
    nodesIn(tree, 'nodes').map((unit) => [heading(unit), nodesIn(unit, 'nodes').map(heading)]),
  )
}

function heading(node: SyntaxNode): unknown[] {
  return [node.nodeType, node.name, node.kind, node.contractKind, node.visibility, node.stateMutability]
}

/** Indices from here on would make a count that does not fit in 32 bits. */
const INDEX_LIMIT = 2n ** 32n - 1n

export type ArgsCount =
  | { readonly ok: true; readonly count: number }
  | { readonly ok: false; readonly message: string; readonly offset: number }

/**
 * Number of arguments of a body: its highest literal index into `args`, plus one. Literals count however they
 * are spelled (`2`, `0x2`, `2e0`); computed indices, comments, strings, and variables that happen to be called `args`
 * do not.
 *
 * @param run The function that carries the body, with types resolved.
 */
export function countArgs(run: SyntaxNode): ArgsCount {
  const parameters = nodeIn(run, 'parameters')
  const args = parameters && nodesIn(parameters, 'parameters').find(({ name }) => name === 'args')
  let count = 0
  for (const node of descendants(nodeIn(run, 'body') ?? run)) {
    if (node.nodeType !== 'IndexAccess') continue
    const base = withoutParentheses(nodeIn(node, 'baseExpression'))
    if (base?.nodeType !== 'Identifier' || base.referencedDeclaration !== args?.id) continue
    const index = literalValue(withoutParentheses(nodeIn(node, 'indexExpression')))
    if (index === undefined) continue
    if (index >= INDEX_LIMIT) {
      const message = `args[${index}] is out of range, the index must be below ${INDEX_LIMIT}`
      return { ok: false, message, offset: extent(node).start }
    }
    count = Math.max(count, Number(index) + 1)
  }
  return { ok: true, count }
}

/** The compiler has already evaluated the literal: its type is the rational number itself. */
function literalValue(node: SyntaxNode | undefined): bigint | undefined {
  if (node?.nodeType !== 'Literal') return undefined
  const type = node.typeDescriptions as { typeIdentifier?: string } | undefined
  const value = /^t_rational_(\d+)_by_1$/.exec(type?.typeIdentifier ?? '')?.[1]
  return value === undefined ? undefined : BigInt(value)
}

function withoutParentheses(node: SyntaxNode | undefined): SyntaxNode | undefined {
  let inner = node
  while (inner?.nodeType === 'TupleExpression' && inner.isInlineArray !== true) {
    const components = nodesIn(inner, 'components')
    if (components.length !== 1) return inner
    inner = components[0]
  }
  return inner
}
