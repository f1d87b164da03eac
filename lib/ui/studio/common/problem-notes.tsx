'use client'

import { CircleAlert, TriangleAlert } from 'lucide-react'
import type { Problem } from '#lib/studio/document/problem.ts'

/** List of a node's problems, below it. */
export function ProblemNotes({ problems, id }: { problems: readonly Problem[] | undefined; id?: string }) {
  if (problems === undefined || problems.length === 0) return null
  return (
    <ul id={id} className="space-y-1 text-sm">
      {problems.map(({ code, severity, sentence, field }) => (
        <li
          key={`${code}${field?.name === 'args' ? field.index : (field?.name ?? '')}`}
          className={`flex gap-1.5 ${severity === 'error' ? 'text-madder' : 'text-weld'}`}
        >
          <span className="mt-0.5 shrink-0">
            {severity === 'error' ? (
              <CircleAlert className="size-4" aria-label="Problem:" role="img" />
            ) : (
              <TriangleAlert className="size-4" aria-label="Mind:" role="img" />
            )}
          </span>
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {field?.name === 'args' ? `Number ${field.index + 1}: ` : ''}
            {sentence}
          </span>
        </li>
      ))}
    </ul>
  )
}
