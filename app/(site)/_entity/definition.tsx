import type {
  ConnectorDefinition,
  Dimension,
  PositionedRunningInstance,
} from '../../../lib/domain/definition.ts'
import type { EntityKind } from '../../../lib/domain/entity.ts'
import { Breakable } from '../../../lib/ui/breakable.tsx'
import { entityHref } from '../../../lib/ui/entity-href.ts'
import { formatInteger } from '../../../lib/ui/format.ts'
import { textLink } from '../../../lib/ui/link-style.ts'
import { Part } from './entity-page.tsx'

/** How a connector is put together, every name in it a link. */
export function Definition({ definition }: { definition: ConnectorDefinition }) {
  const { dimensions, conditionName, conditionArgs, staticRi } = definition
  return (
    <>
      <Part
        title="Dimensions"
        lead="Each is a stream of its own: its transformations take turns, step by step, each turning the last value into the next."
      >
        <ol>
          {dimensions.map((dimension, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a dimension is its index
            <li key={index} className="grid grid-cols-[2rem_minmax(0,1fr)] border-line border-b py-3">
              <span className="mono text-accent text-sm leading-7">{index}</span>
              <DimensionBody dimension={dimension} />
            </li>
          ))}
        </ol>
      </Part>
      {conditionName === '' ? null : (
        <Part
          title="Condition"
          lead="Asked before it generates. When the answer is no, it stops with “Condition not met”."
        >
          <p className="border-line border-b py-3">
            <Call kind="condition" name={conditionName} args={conditionArgs} />
          </p>
        </Part>
      )}
      {staticRi.length === 0 ? null : <StaticInstances instances={staticRi} />}
    </>
  )
}

function DimensionBody({ dimension }: { dimension: Dimension }) {
  const { transformations, composite, bindings } = dimension
  return (
    <div className="min-w-0 text-sm leading-7">
      <p>
        {transformations.length === 0 ? (
          <span className="text-ink-soft">No transformation: it counts.</span>
        ) : null}
        {transformations.map(({ name, args }, index) => (
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
      </p>
      {composite === '' ? null : (
        <p className="text-ink-soft">
          feeds <Call kind="connector" name={composite} />
          {bindings.map(({ slot, name }) => (
            <span key={slot} className="block pl-4">
              slot <span className="mono text-ink">{slot}</span> filled by{' '}
              <Call kind="connector" name={name} />
            </span>
          ))}
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
      {args === undefined ? null : <span className="text-ink-soft">({args.join(', ')})</span>}
    </span>
  )
}

function StaticInstances({ instances }: { instances: readonly PositionedRunningInstance[] }) {
  return (
    <Part
      title="Running instances"
      lead="Fixed by the definition: where a stream starts, and which of its transformations takes the first turn."
    >
      <div className="overflow-x-auto">
        <table className="w-full text-left text-sm">
          <thead className="text-ink-soft text-xs">
            <tr>
              <th className="py-2 pr-4 font-normal">Position</th>
              <th className="py-2 pr-4 font-normal">Starts at</th>
              <th className="py-2 font-normal">Shift</th>
            </tr>
          </thead>
          <tbody className="mono">
            {instances.map(({ position, startPoint, transformationShift }) => (
              <tr key={position} className="border-line border-t">
                <td className="py-2 pr-4">{position}</td>
                <td className="py-2 pr-4">{formatInteger(startPoint)}</td>
                <td className="py-2">{formatInteger(transformationShift)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Part>
  )
}
