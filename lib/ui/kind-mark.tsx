import type { EntityKind } from '../domain/entity.ts'
import { Sign } from './sign.tsx'

/** A sign for each kind: a connector is threads side by side, a transformation a step, a condition a gate. */
export function KindMark({ kind }: { kind: EntityKind }) {
  return (
    <Sign>
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
    </Sign>
  )
}
