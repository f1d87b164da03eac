import type { Leaf } from '../../../domain/artifact.ts'
import { formatHash, scalarLabels } from '../../../domain/format-hash.ts'
import type { Look, Role } from './lesson.ts'

/** The formats of connectors beside each other. */
export function FormatSigns({ roles, look }: { roles: readonly Role[]; look: Look }) {
  return (
    <dl className="space-y-2">
      {roles.map((role) => {
        const leaves = look.leavesOf(role)
        return (
          <div key={role} className="rounded-md border border-line px-2 py-1.5 text-xs">
            <dt className="mono [overflow-wrap:anywhere]">{look.name(role)}</dt>
            {leaves === undefined ? (
              <dd className="text-ink-soft">not known yet</dd>
            ) : (
              <Format leaves={leaves} />
            )}
          </div>
        )
      })}
    </dl>
  )
}

function Format({ leaves }: { leaves: readonly Leaf[] }) {
  return (
    <>
      <dd className="mono text-ink-soft [overflow-wrap:anywhere]">{scalarLabels(leaves).join(' ')}</dd>
      <dd>
        format <span className="mono">{formatHash(leaves).slice(2, 14)}…</span>
      </dd>
    </>
  )
}
