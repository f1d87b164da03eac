/** A node of the compiler's syntax tree: only what every node has, the rest is asked for by name. */
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
export function nodesIn(node: SyntaxNode, property: string): SyntaxNode[] {
  const value = node[property]
  return Array.isArray(value) ? value.filter(isSyntaxNode) : []
}

export function nodeIn(node: SyntaxNode, property: string): SyntaxNode | undefined {
  const value = node[property]
  return isSyntaxNode(value) ? value : undefined
}

/** Byte range of a node in its source. */
export function extent(node: SyntaxNode): { start: number; end: number } {
  const [start, length] = node.src.split(':').map(Number)
  return { start: start!, end: start! + length! }
}

/** A node and everything below it. Iterative: authors decide how deep the tree is. */
export function* descendants(root: SyntaxNode): Generator<SyntaxNode> {
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
