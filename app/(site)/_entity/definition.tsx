import { formatInteger } from '#lib/browser/format.ts'
import type { ConnectorDefinition, Dimension, PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { Breakable } from '#lib/ui/components/breakable.tsx'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { Part } from '#lib/ui/components/part.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'

/** Maximum entries shown of each list; a definition may have tens of thousands. */
const MOST = { dimensions: 64, calls: 24, bindings: 24, instances: 48, args: 16 }

/** A connector's definition with links. Long lists are cut. */
export function Definition({ definition }: { definition: ConnectorDefinition }) {
  const { dimensions, conditionName, conditionArgs, staticRi } = definition
  return (
    <>
      <Part
        id="definition"
        title="Voices"
        lead="Each goes step by step: its functions take turns, each making the next number from the last."
      >
        <ol>
          {dimensions.slice(0, MOST.dimensions).map((dimension, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a dimension is its index
            <li key={index} className="grid grid-cols-[2rem_minmax(0,1fr)] border-line border-b py-3">
              <span className="mono text-accent text-sm leading-7">{index}</span>
              <DimensionBody dimension={dimension} />
            </li>
          ))}
        </ol>
        <More of={dimensions} limit={MOST.dimensions} what="voices" connector={definition.name} />
      </Part>
      {conditionName === '' ? null : (
        <Part title="Gate" lead="Asked before it plays. When the answer is no, nothing is played.">
          <p className="border-line border-b py-3">
            <Call kind="condition" name={conditionName} args={conditionArgs} />
          </p>
        </Part>
      )}
      {staticRi.length === 0 ? null : <StaticInstances instances={staticRi} connector={definition.name} />}
    </>
  )
}

function DimensionBody({ dimension }: { dimension: Dimension }) {
  const { transformations, composite, bindings } = dimension
  return (
    <div className="min-w-0 text-sm leading-7">
      <p>
        {transformations.length === 0 ? (
          <span className="text-ink-soft">No steps: it stays at its start.</span>
        ) : null}
        {transformations.slice(0, MOST.calls).map(({ name, args }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one name may come again, with the same arguments
          <span key={index}>
            {index > 0 ? (
              <span aria-hidden="true" className="px-2 text-edge">
                →
              </span>
            ) : null}
            <Call kind="transformation" name={name} args={args} />
          </span>
        ))}
        <AndMore of={transformations} limit={MOST.calls} />
      </p>
      {composite === '' ? null : (
        <p className="text-ink-soft">
          feeds <Call kind="connector" name={composite} />
          {bindings.slice(0, MOST.bindings).map(({ slot, name }) => (
            <span key={slot} className="block pl-4">
              part <span className="mono text-ink">{slot + 1}</span> played by{' '}
              <Call kind="connector" name={name} />
            </span>
          ))}
          <AndMore of={bindings} limit={MOST.bindings} />
        </p>
      )}
    </div>
  )
}

function Call({ kind, name, args }: { kind: EntityKind; name: string; args?: readonly number[] }) {
  return (
    <span className="mono [overflow-wrap:anywhere]">
      <a className={textLink} href={entityHref(kind, name)}>
        <Breakable name={name} />
      </a>
      {args === undefined ? null : <span className="text-ink-soft">({argumentList(args)})</span>}
    </span>
  )
}

/** `1, 2, 3`, abbreviated when long. */
function argumentList(args: readonly number[]): string {
  if (args.length <= MOST.args) return args.join(', ')
  return `${args.slice(0, MOST.args).join(', ')}, … ${formatInteger(args.length)} in all`
}

/** The number of omitted entries, inline. */
function AndMore({ of, limit }: { of: readonly unknown[]; limit: number }) {
  if (of.length <= limit) return null
  return <span className="text-ink-soft"> and {formatInteger(of.length - limit)} more</span>
}

/** The number of omitted entries, with a link to all. */
function More({
  of,
  limit,
  what,
  connector,
}: {
  of: readonly unknown[]
  limit: number
  what: string
  connector: string
}) {
  if (of.length <= limit) return null
  return (
    <p className="py-3 text-sm">
      and {formatInteger(of.length - limit)} more {what}: the{' '}
      <a className={textLink} href={`/chain/connector/${connector}`}>
        definition as JSON
      </a>{' '}
      has them all.
    </p>
  )
}

function StaticInstances({
  instances,
  connector,
}: {
  instances: readonly PositionedRunningInstance[]
  connector: string
}) {
  return (
    <Part
      title="Starts"
      lead="Fixed by the piece: where a voice starts, and how many of its steps it skips at first. Positions count all voices, those of its parts too."
    >
      <div className="overflow-x-auto">
        <table className="w-full text-left text-sm">
          <thead className="text-ink-soft text-xs">
            <tr>
              <th className="py-2 pr-4 font-normal">Position</th>
              <th className="py-2 pr-4 font-normal">Start</th>
              <th className="py-2 font-normal">Skips</th>
            </tr>
          </thead>
          <tbody className="mono">
            {instances.slice(0, MOST.instances).map(({ position, startPoint, transformationShift }) => (
              <tr key={position} className="border-line border-t">
                <td className="py-2 pr-4">{position}</td>
                <td className="py-2 pr-4">{formatInteger(startPoint)}</td>
                <td className="py-2">{formatInteger(transformationShift)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <More of={instances} limit={MOST.instances} what="starts" connector={connector} />
    </Part>
  )
}
