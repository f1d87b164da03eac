import { extent, nodeIn, nodesIn, type SyntaxNode } from './syntax-tree.ts'
import { WRAPPED_CONTRACT, type WrappedBody } from './wrap.ts'

type BodyKind = 'transformation' | 'condition'

/** Functions of the wrapper in order; the first one carries the body. */
const FUNCTIONS = { transformation: ['run', ''], condition: ['check'] } as const

/** Says what an escape from the body looks like, for authors who did it by accident. */
export const ESCAPE_TEXT =
  'the text must be exactly one function body: it closes a brace that it did not open, which would add other functions, contracts or imports'

/**
 * Whether the parsed source is the wrapper with one body filled in and nothing else. The first function's block must
 * begin and end exactly at the wrapper's braces: then everything of the author lies inside that block, where the
 * language allows no declarations but variables, and the text around it is the wrapper's own.
 *
 * @param tree Source unit as parsed; types need not be resolved.
 * @returns false when the body reaches out of its function.
 */
export function isExactlyOneBody(
  kind: BodyKind,
  tree: SyntaxNode,
  wrapped: WrappedBody,
  body: string,
): boolean {
  const contract = bodyContract(tree)
  if (contract === undefined || contract.name !== WRAPPED_CONTRACT[kind]) return false
  const functions = nodesIn(contract, 'nodes')
  const expected = FUNCTIONS[kind]
  if (functions.length !== expected.length) return false
  if (functions.some((node, at) => node.nodeType !== 'FunctionDefinition' || node.name !== expected[at])) {
    return false
  }
  const block = nodeIn(functions[0]!, 'body')
  if (block === undefined) return false
  const { start, end } = extent(block)
  const bodyEnd = wrapped.bodyStart + body.length
  const widening = Buffer.byteLength(body) - body.length
  const open = wrapped.source.lastIndexOf('{', wrapped.bodyStart - 1)
  const close = wrapped.source.indexOf('}', bodyEnd)
  return start === open && end === close + 1 + widening
}

/** The wrapper's contract, when the source unit holds it, its pragma and nothing else. */
function bodyContract(tree: SyntaxNode): SyntaxNode | undefined {
  const [pragma, contract, ...others] = nodesIn(tree, 'nodes')
  if (others.length > 0 || pragma?.nodeType !== 'PragmaDirective') return undefined
  return contract?.nodeType === 'ContractDefinition' ? contract : undefined
}

/** The function that carries the body, of a tree that passed `isExactlyOneBody`. */
export function bodyFunction(tree: SyntaxNode): SyntaxNode {
  return nodesIn(bodyContract(tree)!, 'nodes')[0]!
}
