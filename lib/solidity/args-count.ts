import { descendants, extent, nodeIn, nodesIn, type SyntaxNode } from './syntax-tree.ts'

/** Indices from here on would make a count that does not fit in 32 bits. */
const INDEX_LIMIT = 2n ** 32n - 1n

export type ArgsCount =
  | { readonly ok: true; readonly count: number }
  | { readonly ok: false; readonly message: string; readonly offset: number }

/**
 * How many arguments a body asks for: its highest literal index into `args`, plus one. Literals count however they
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
