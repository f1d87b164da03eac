'use client'

import { BaseEdge, type Edge, type EdgeProps, getBezierPath } from '@xyflow/react'
import { memo } from 'react'
import { threadColor } from '#lib/ui/components/thread-colors.ts'
import type { GraphLink } from './model/graph-of.ts'

export type FlowEdge = Edge<{ readonly link: GraphLink }, 'link'>

/** A thread from a dimension to the connector it leads to; dashed, with the slot's number, where it fills a slot. */
export const LinkEdge = memo(function LinkEdge({
  sourceX,
  sourceY,
  targetX,
  targetY,
  sourcePosition,
  targetPosition,
  selected,
  data,
}: EdgeProps<FlowEdge>) {
  const [path, x, y] = getBezierPath({ sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition })
  const { slot = undefined, index = 0 } = data?.link ?? {}
  const color = threadColor(index)
  return (
    <>
      <BaseEdge
        path={path}
        interactionWidth={24}
        style={{
          stroke: color,
          strokeWidth: selected ? 4 : 2,
          ...(slot !== undefined && { strokeDasharray: '7 5' }),
        }}
      />
      {slot === undefined ? null : (
        <g transform={`translate(${x}, ${y})`}>
          <rect
            x={-String(slot).length * 4.5 - 7}
            y={-12}
            width={String(slot).length * 9 + 14}
            height={24}
            rx={12}
            fill="var(--color-ground)"
            stroke={color}
          />
          <text textAnchor="middle" dy="0.35em" fill="var(--color-ink)" className="mono text-sm">
            {slot}
          </text>
        </g>
      )}
    </>
  )
})
