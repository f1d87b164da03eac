import type { SearchKind } from '../../search/hit.ts'
import { KindMark } from '../kind-mark.tsx'
import { Avatar } from '../people/avatar.tsx'
import { Sign } from '../sign.tsx'

/** A sign for each kind of thing that search knows; people have their own weave. */
export function HitMark({ kind, address }: { kind: SearchKind; address?: string | undefined }) {
  if (kind === 'person') return <Avatar address={address ?? ''} className="size-6" />
  if (kind !== 'format' && kind !== 'world') return <KindMark kind={kind} />
  return (
    <Sign>
      {kind === 'format' ? (
        <>
          <path className="stroke-weld" d="M3 4.5v15M9 4.5v15" />
          <path className="stroke-walnut" d="M15 4.5v15M21 4.5v15" />
        </>
      ) : (
        <>
          <path className="stroke-cochineal" d="M3.5 5h17v14h-17z" />
          <path className="stroke-verdigris" d="M7.5 15l3.5-4 2.5 2.5 3-4" />
        </>
      )}
    </Sign>
  )
}
