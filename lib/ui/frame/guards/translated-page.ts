/**
 * Lets a page live on that the browser translates. A translator puts a `font` element in the place of each text, of
 * which React knows nothing: it then removes a text that is no child any more, inserts before one, or changes one that
 * nobody sees. Here such a text is found again by what replaced it.
 */
export function guardTranslatedPage(): void {
  const replacements = new WeakMap<Node, ChildNode>()
  const takenNodes = new WeakSet<Node>()

  const observer = new MutationObserver((records) => {
    for (const record of records) note(record)
  })
  observer.observe(document, { childList: true, subtree: true })
  const changed = new MutationObserver((records) => {
    for (const { target } of records) {
      const replacement = replacements.get(target)
      // The translator sees the new text, and translates it in its turn.
      if (replacement?.parentNode && !target.parentNode) replacement.replaceWith(target)
      replacements.delete(target)
    }
  })

  const note = ({ removedNodes, addedNodes, previousSibling, nextSibling }: MutationRecord) => {
    for (const text of removedNodes) {
      if (text.nodeType !== Node.TEXT_NODE) continue
      const beside = [...addedNodes, previousSibling, nextSibling]
      const font = beside.find((each) => each?.nodeName === 'FONT' && !takenNodes.has(each))
      if (font === undefined || font === null) continue
      takenNodes.add(font)
      replacements.set(text, font as ChildNode)
      changed.observe(text, { characterData: true })
    }
  }

  /** The child of a parent that stands for a node of React's. */
  const standsFor = (parent: Node, node: Node): Node | undefined => {
    for (const record of observer.takeRecords()) note(record)
    let at: Node | null | undefined = replacements.get(node) ?? node
    while (at && at.parentNode !== parent) at = at.parentNode
    return at ?? undefined
  }

  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T
    const stand = standsFor(this, child)
    if (stand !== undefined) removeChild.call(this, stand)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    const at = before === null || before.parentNode === this ? before : (standsFor(this, before) ?? null)
    return insertBefore.call(this, node, at) as T
  }
}
