import { extent, nodeIn, nodesIn, type SyntaxNode } from './syntax-tree.ts'
import type { WrappedBody } from './wrap.ts'

/** Says what an escape from the body looks like, for authors who did it by accident. */
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

/** What the file declares, and what the contracts in it declare, in order. */
function declarations(tree: SyntaxNode): string {
  return JSON.stringify(
    nodesIn(tree, 'nodes').map((unit) => [heading(unit), nodesIn(unit, 'nodes').map(heading)]),
  )
}

function heading(node: SyntaxNode): unknown[] {
  return [node.nodeType, node.name, node.kind, node.contractKind, node.visibility, node.stateMutability]
}
