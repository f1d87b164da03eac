'use client'

import { Handle, Position } from '@xyflow/react'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { counted } from '#lib/browser/format.ts'
import { threadColor } from '#lib/ui/components/thread-colors.ts'
import { type Detail, useGraphTools } from './graph-context.ts'
import { LineFields } from './line-fields.tsx'
import { handleOf, type Line } from './model/lines.ts'
import { canStart, heightOfLine, LINE_HEIGHT } from './model/sizes.ts'

/** One line of a node: it can have the focus itself, with its fields inside. */
export function NodeLine({
  node,
  line,
  current,
  chosen,
  editable,
  detail,
}: {
  node: string
  line: Line
  /** The chosen line of the chosen node. */
  current: boolean
  /** Whether its node is the chosen one: only there the fields are in the order of tabs. */
  chosen: boolean
  editable: boolean
  detail: Detail
}) {
  const { choose } = useGraphTools()
  const notes = `graph-notes-${line.key}`
  const worst = line.problems.find(({ severity }) => severity === 'error') ?? line.problems[0]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no line of a graph
    <div
      role="group"
      aria-label={captionOf(line)}
      aria-describedby={worst === undefined ? undefined : notes}
      tabIndex={current ? 0 : -1}
      data-line={line.key}
      onFocus={(event) => {
        event.stopPropagation()
        choose(node, line.key)
      }}
      style={{ height: heightOfLine(line) }}
      className={`relative flex items-start px-3 -outline-offset-2 ${current ? 'bg-sunk' : ''} ${line.kind === 'dimension' || line.kind === 'condition' ? 'border-line border-t' : ''}`}
    >
      {'index' in line ? (
        <span
          aria-hidden="true"
          className="absolute inset-y-0 left-0 w-1"
          style={{ background: threadColor(line.index) }}
        />
      ) : null}
      <div className={`min-w-0 flex-1 ${line.kind === 'dimension' ? '' : 'pl-2'}`}>
        <LineFields
          line={line}
          editable={editable && detail === 'all'}
          tabbable={chosen}
          marked={worst !== undefined}
          describedBy={worst === undefined ? undefined : notes}
        />
        {worst === undefined ? null : (
          <span
            title={line.problems.map(({ sentence }) => sentence).join('\n')}
            className={`absolute top-0 right-4 flex items-center ${worst.severity === 'error' ? 'text-madder' : 'text-weld'}`}
            style={{ height: LINE_HEIGHT }}
          >
            {worst.severity === 'error' ? (
              <CircleAlert className="size-4" aria-hidden="true" />
            ) : (
              <TriangleAlert className="size-4" aria-hidden="true" />
            )}
            <span id={notes} className="sr-only">
              {line.problems.map(({ sentence }) => sentence).join(' ')}
            </span>
          </span>
        )}
      </div>
      {canStart(line) ? <Start line={line} editable={editable && detail === 'all'} /> : null}
    </div>
  )
}

/** Where a link begins: a dot to drag from, with room around it to hit. */
function Start({ line, editable }: { line: Line; editable: boolean }) {
  const taken = (line.kind === 'composite' || line.kind === 'slot') && line.name !== ''
  const style = { top: LINE_HEIGHT / 2, right: -6, transform: 'translateY(-50%)' }
  const dot = (
    <span
      className={`size-3 rounded-full border-2 ${taken ? '' : 'bg-raised'}`}
      style={{
        borderColor: 'index' in line ? threadColor(line.index) : 'var(--color-edge)',
        ...(taken && 'index' in line && { background: threadColor(line.index) }),
      }}
    />
  )
  const look = 'absolute flex! size-6! min-w-0! items-center justify-end border-0! bg-transparent!'
  // Where nothing can be linked, links only need to know where to begin.
  if (!editable) {
    return (
      <span
        data-handleid={handleOf(line.key)}
        data-handlepos="right"
        className={`source ${look}`}
        style={style}
        aria-hidden="true"
      >
        {dot}
      </span>
    )
  }
  return (
    <Handle
      type="source"
      position={Position.Right}
      id={handleOf(line.key)}
      className={look}
      style={style}
      aria-hidden
    >
      <span className="pointer-events-none contents">{dot}</span>
    </Handle>
  )
}

/** The accessible name of a line. */
function captionOf(line: Line): string {
  switch (line.kind) {
    case 'dimension':
      return `Voice ${line.index + 1}`
    case 'call':
      return `Function ${line.call.name || 'without a name'} ${line.call.args.join(', ')}`.trim()
    case 'composite':
      return `Plays ${line.name || 'nothing'}`
    case 'slot':
      return `Part ${line.slot + 1}${line.label === '' ? '' : `, ${line.label}`}: ${line.name || 'open'}`
    case 'slots':
      return counted(line.amount, 'free place')
    case 'condition':
      return `Gate ${line.condition.name || 'without a name'} ${line.condition.args.join(', ')}`.trim()
    case 'start':
      return `Start of ${line.label || `place ${line.instance.position}`}`
    case 'more':
      return `${line.amount} more voices`
  }
}
