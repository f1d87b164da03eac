import { counted } from '#lib/browser/format.ts'
import type { DependencyGraph, GraphNode } from '#lib/core/entities/dependency-graph.ts'
import { kindWord } from '#lib/protocol/kind-name.ts'
import { definitionHref, entityHref } from '#lib/ui/components/entity-href.ts'
import { textLink } from '#lib/ui/kit/link-style.ts'

/** A graph as nested lists, each connector expanded at its first occurrence. */
export function DependencyTree({ graph }: { graph: DependencyGraph }) {
  const root = branchOf(graph)
  return root ? <Parts branch={root} /> : null
}

interface Branch {
  readonly node: GraphNode
  /** Number of references by the parent. */
  readonly times: number
  /** Expanded at an earlier occurrence. */
  readonly again: boolean
  readonly parts: readonly Branch[]
}

function branchOf({ nodes }: DependencyGraph): Branch | undefined {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const spelled = new Set<string>()
  const grow = (node: GraphNode, times: number): Branch => {
    const again = spelled.has(node.id)
    spelled.add(node.id)
    const parts = node.uses.flatMap(({ to, times }) => {
      const part = byId.get(to)
      return again || part === undefined ? [] : [grow(part, times)]
    })
    return { node, times, again: again && node.uses.length + node.more > 0, parts }
  }
  return nodes[0] && grow(nodes[0], 1)
}

function Parts({ branch: { node, parts } }: { branch: Branch }) {
  return (
    <ul className="border-line [&_ul]:ml-1.5 [&_ul]:border-l [&_ul]:pl-5">
      {parts.map((part) => (
        <li key={part.node.id}>
          <p className="flex min-h-9 flex-wrap items-center gap-x-3 py-1 text-sm touch:min-h-11">
            <a
              className={`${textLink} mono [overflow-wrap:anywhere]`}
              href={entityHref(part.node.kind, part.node.name)}
            >
              {part.node.name}
            </a>
            <span className="text-ink-soft text-xs">
              {kindWord(part.node.kind)}
              {part.times > 1 ? `, ${counted(part.times, 'time')}` : ''}
              {part.again ? ', as above' : ''}
            </span>
          </p>
          {part.parts.length > 0 || (part.node.more > 0 && !part.again) ? <Parts branch={part} /> : null}
        </li>
      ))}
      {node.more > 0 ? (
        <li>
          <a
            className={`${textLink} inline-flex min-h-9 items-center text-sm touch:min-h-11`}
            href={definitionHref(node.name)}
          >
            and {node.more} more<span className="sr-only"> of {node.name}</span>
          </a>
        </li>
      ) : null}
    </ul>
  )
}
