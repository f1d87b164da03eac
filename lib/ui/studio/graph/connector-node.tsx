'use client'

import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { ChevronDown, ChevronRight, CircleAlert } from 'lucide-react'
import { memo, useContext } from 'react'
import { counted } from '#lib/browser/format.ts'
import { renameEverywhere } from '#lib/studio/document/commands/entries.ts'
import { KindMark } from '#lib/ui/components/kind-mark.tsx'
import { Press } from '#lib/ui/kit/button.tsx'
import { NameField } from '../common/fields.tsx'
import { type Detail, DetailContext, useGraphTools } from './graph-context.ts'
import type { GraphNode } from './model/graph-of.ts'
import { HEAD_HEIGHT } from './model/sizes.ts'
import { NodeLine } from './node-line.tsx'

/** Data that a node draws. */
export interface NodeData extends Record<string, unknown> {
  readonly node: GraphNode
  /** Whether it is the current one. */
  readonly chosen: boolean
  /** The chosen line of it. */
  readonly line: string | undefined
}

export type FlowNode = Node<NodeData, 'connector'>

/** A connector: its name, and a line for all that is in it. Drawn again only when something of it changes. */
export const ConnectorNode = memo(
  function ConnectorNode({ data: { node, chosen, line }, selected }: NodeProps<FlowNode>) {
    const detail = useContext(DetailContext)
    const { choose } = useGraphTools()
    const missing = node.state === 'absent' || node.state === 'unknown'
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is no node of a graph
      <div
        role="group"
        aria-label={nodeCaption(node)}
        tabIndex={chosen && line === undefined ? 0 : -1}
        data-node={node.key}
        onFocus={(event) => {
          // Focus on a line or field is handled there.
          if (event.target === event.currentTarget) choose(node.key, undefined)
        }}
        className={`h-full rounded-lg border bg-raised outline-offset-4 ${missing ? 'border-dashed' : ''} ${
          selected ? 'border-accent ring-1 ring-accent' : node.root ? 'border-ink' : 'border-edge'
        }`}
      >
        <Handle
          type="target"
          position={Position.Left}
          isConnectable={detail === 'all'}
          aria-hidden
          className="flex! size-6! items-center border-0! bg-transparent!"
          style={{ top: HEAD_HEIGHT / 2, left: -6, transform: 'translateY(-50%)' }}
        >
          <span className="pointer-events-none size-3 rounded-full border-2 border-ink bg-raised" />
        </Handle>
        <Head node={node} chosen={chosen} detail={detail} />
        {detail === 'name'
          ? null
          : node.lines.map((each) => (
              <NodeLine
                key={each.key}
                node={node.key}
                line={each}
                current={chosen && each.key === line}
                chosen={chosen}
                editable={node.state === 'own'}
                detail={detail}
              />
            ))}
      </div>
    )
  },
  (before, after) => before.data === after.data && before.selected === after.selected,
)

function Head({ node, chosen, detail }: { node: GraphNode; chosen: boolean; detail: Detail }) {
  const { toggle, edit } = useGraphTools()
  const errors = problemsOf(node)
  const far = detail === 'name'
  const { entry } = node
  const sign = STATE_LABELS[node.state]
  return (
    <div
      className={`flex items-center gap-2 pr-2 pl-4 ${far ? 'h-full' : ''}`}
      style={far ? {} : { height: HEAD_HEIGHT - 2 }}
    >
      <KindMark kind="connector" />
      {node.state === 'own' && detail === 'all' && entry !== undefined ? (
        <NameField
          value={node.name}
          onText={(name) =>
            edit('Rename', (document) => renameEverywhere(document, { entryId: entry.id, name }), {
              merge: `name/${entry.id}`,
            })
          }
          wrong={node.problems.some(({ field, severity }) => field?.name === 'name' && severity === 'error')}
          aria-label="Name of this piece"
          tabIndex={chosen ? undefined : -1}
          data-name
          className="nodrag nopan min-h-8! min-w-0 flex-1 border-transparent! bg-transparent! font-semibold hover:border-edge! focus:border-edge!"
        />
      ) : (
        <span
          title={node.name}
          className={`mono min-w-0 flex-1 font-semibold ${far ? 'line-clamp-2 text-3xl [overflow-wrap:anywhere]' : 'truncate text-sm'}`}
        >
          {node.name || 'no name yet'}
        </span>
      )}
      {errors > 0 ? (
        <span
          className="flex shrink-0 items-center gap-1 text-madder text-sm"
          title={counted(errors, 'problem')}
        >
          <CircleAlert className={far ? 'size-8' : 'size-4'} aria-hidden="true" />
          {far ? null : errors}
        </span>
      ) : null}
      {sign === undefined || far ? null : (
        <span className="shrink-0 rounded-full border border-edge px-2 text-ink-soft text-xs">{sign}</span>
      )}
      {entry !== undefined && detail === 'all' ? (
        <Press
          tabIndex={chosen ? undefined : -1}
          aria-expanded={node.open}
          aria-label={`${node.open ? 'Collapse' : 'Expand'} ${node.name}`}
          onClick={() => toggle(node.key)}
          className="nodrag grid size-10 shrink-0 place-items-center rounded-md hover:bg-sunk"
        >
          {node.open ? (
            <ChevronDown className="size-4" aria-hidden="true" />
          ) : (
            <ChevronRight className="size-4" aria-hidden="true" />
          )}
        </Press>
      ) : null}
    </div>
  )
}

const STATE_LABELS = {
  own: undefined,
  published: 'published',
  draft: 'draft',
  absent: 'missing',
  unknown: 'looking up',
} as const

/** Number of errors that are marked in a node. */
export function problemsOf({ problems, lines }: GraphNode): number {
  return [problems, ...lines.map((line) => line.problems)]
    .flat()
    .filter(({ severity }) => severity === 'error').length
}

/** The accessible name of a node. */
function nodeCaption(node: GraphNode): string {
  const errors = problemsOf(node)
  return [
    node.name || 'Piece without a name',
    node.root ? 'the piece of this graph' : '',
    STATE_LABELS[node.state] ?? '',
    node.entry === undefined ? '' : counted(node.entry.dimensions.length, 'voice'),
    node.entry !== undefined && !node.open ? 'collapsed' : '',
    errors === 0 ? '' : counted(errors, 'problem'),
  ]
    .filter((part) => part !== '')
    .join(', ')
}
