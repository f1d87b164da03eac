import type { DependencyGraph as Graph } from '#lib/core/entities/dependency-graph.ts'
import { kindWord } from '#lib/protocol/kind-name.ts'
import { definitionHref, entityHref } from '#lib/ui/components/entity-href.ts'
import { KindMark } from '#lib/ui/components/kind-mark.tsx'
import { DependencyTree } from './dependency-tree.tsx'
import { BOX_HEIGHT, type Box, type Line, layoutGraph } from './graph-layout.ts'

/** Space for focus outlines. */
const MARGIN = 4

/** A connector's dependencies: a drawing on wide screens, and a list. */
export function DependencyGraph({ graph }: { graph: Graph }) {
  return (
    <>
      <div className="max-sm:hidden">
        <Drawing graph={graph} title={`What ${graph.nodes[0]?.name} is made of`} />
        <details className="mt-3">
          <summary className="min-h-6 w-fit cursor-pointer text-ink-soft text-sm hover:text-accent">
            The same as a list
          </summary>
          <DependencyTree graph={graph} />
        </details>
      </div>
      <div className="sm:hidden">
        <DependencyTree graph={graph} />
      </div>
    </>
  )
}

/**
 * A graph as a drawing whose boxes are links; the first node is the one it is about.
 *
 * @param hrefOf Where the boxes lead, by default to the pages of what they show.
 */
export function Drawing({
  graph,
  title,
  hrefOf = entityHref,
}: {
  graph: Graph
  title: string
  hrefOf?: typeof entityHref
}) {
  const { boxes, lines, width, height } = layoutGraph(graph)
  const [root] = boxes
  return (
    <div className="overflow-x-auto py-3">
      <svg
        viewBox={`${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`}
        width={width + 2 * MARGIN}
        height={height + 2 * MARGIN}
        className="block"
      >
        <title>{title}</title>
        <g fill="none" strokeWidth="1.5">
          {lines.map((line) => (
            <path key={`${line.from.id} ${line.to.id}`} d={curve(line)} className={STROKES[line.to.kind]} />
          ))}
        </g>
        {boxes.map((box) => (
          <BoxShape key={box.id} box={box} root={box === root} hrefOf={hrefOf} />
        ))}
      </svg>
    </div>
  )
}

const STROKES = {
  connector: 'stroke-indigo',
  transformation: 'stroke-edge',
  condition: 'stroke-madder',
  more: 'stroke-line',
} as const

function curve({ from, to, lanes }: Line): string {
  let at = { x: from.x + from.width, y: from.y + BOX_HEIGHT / 2 }
  let path = `M${at.x} ${at.y}`
  for (const { x, y, width } of [...lanes, { x: to.x, y: to.y + BOX_HEIGHT / 2, width: 0 }]) {
    const middle = (at.x + x) / 2
    path += `C${middle} ${at.y} ${middle} ${y} ${x} ${y}H${x + width}`
    at = { x: x + width, y }
  }
  return path
}

function BoxShape({ box, root, hrefOf }: { box: Box; root: boolean; hrefOf: typeof entityHref }) {
  const { kind, label, x, y, width } = box
  const shape = (
    <>
      <rect
        x={x}
        y={y}
        width={width}
        height={BOX_HEIGHT}
        rx="4"
        strokeWidth={root ? 2 : 1}
        strokeDasharray={kind === 'more' ? '4 4' : undefined}
        className={`fill-raised transition-colors group-hover:stroke-accent ${root ? 'stroke-ink' : 'stroke-edge'}`}
      />
      {kind === 'more' ? null : (
        <svg x={x + 9} y={y + 8} width="18" height="18" aria-hidden="true">
          <KindMark kind={kind} />
        </svg>
      )}
      <text
        x={x + (kind === 'more' ? 14 : 36)}
        y={y + 22}
        className={`mono text-sm transition-colors group-hover:fill-accent ${kind === 'more' ? 'fill-ink-soft' : 'fill-ink'}`}
      >
        {label}
      </text>
    </>
  )
  if (root) return <g>{shape}</g>
  return (
    <a
      href={kind === 'more' ? definitionHref(box.name) : hrefOf(kind, box.name)}
      aria-label={kind === 'more' ? `${label} of ${box.name}` : `${box.name}, ${kindWord(kind)}`}
      className="group"
    >
      <title>{kind === 'more' ? `${label} of ${box.name}` : box.name}</title>
      {shape}
    </a>
  )
}
