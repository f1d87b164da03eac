import type { ListedKind } from '#lib/protocol/listed-kind.ts'
import { Avatar } from '#lib/ui/components/avatar.tsx'
import { KindMark, LineIcon } from '#lib/ui/components/kind-mark.tsx'

/** The icon of a hit; accounts have their avatar. */
export function HitMark({ kind, address }: { kind: ListedKind; address?: string | undefined }) {
  if (kind === 'person') return <Avatar address={address ?? ''} className="size-6" />
  if (kind !== 'format' && kind !== 'world') return <KindMark kind={kind} />
  return (
    <LineIcon>
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
    </LineIcon>
  )
}
