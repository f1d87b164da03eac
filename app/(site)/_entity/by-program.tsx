import type { EntityKind } from '#lib/protocol/entity.ts'
import { Command } from '#lib/ui/components/command.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { PICTURED_PARTICLES } from '#lib/views/entity.ts'

/**
 * The requests that return what the page of an entity shows.
 *
 * @param api Address of the chain API, without a slash at its end.
 */
export function ByProgram({ api, kind, name }: { api: string; kind: EntityKind; name: string }) {
  const read = `curl -s ${api}/${kind}/${name}`
  if (kind !== 'connector') {
    return (
      <Part title="By program">
        <Command>{read}</Command>
      </Part>
    )
  }
  return (
    <Part title="By program" lead="The same numbers for a program; no account needed.">
      <Command>{`curl -s ${api}/simulate \\
  -H 'content-type: application/json' \\
  -d '{"connector_name":"${name}","particles_count":${PICTURED_PARTICLES}}'

${read}`}</Command>
    </Part>
  )
}
