import type { ReactNode } from 'react'
import type { EntityKind } from '#lib/protocol/entity.ts'

/** An icon for each kind: a connector is parallel threads, a transformation a step, a condition a gate. */
export function KindMark({ kind }: { kind: EntityKind }) {
  return (
    <LineIcon>
      {kind === 'connector' ? (
        <>
          <path className="stroke-indigo" d="M2 6.5h20" />
          <path className="stroke-madder" d="M2 12h20" />
          <path className="stroke-verdigris" d="M2 17.5h20" />
        </>
      ) : null}
      {kind === 'transformation' ? <path className="stroke-indigo" d="M2 18h6V12h6V6h8" /> : null}
      {kind === 'condition' ? (
        <>
          <path className="stroke-edge" d="M9 5v14M15 5v14" />
          <path className="stroke-madder" d="M2 12h4M18 12h4" />
        </>
      ) : null}
    </LineIcon>
  )
}

/** The frame of a small decorative line drawing: 24 units wide and high. */
export function LineIcon({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className="size-6 shrink-0"
      aria-hidden="true"
      fill="none"
      strokeWidth="2.25"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  )
}
