import { checksumAddress } from '../../../../../lib/protocol/address.ts'
import { Avatar } from '../../../../../lib/ui/components/avatar.tsx'
import { CopyButton } from '../../../../../lib/ui/components/copy-button.tsx'
import { ownerHref } from '../../../../../lib/ui/components/entity-href.ts'
import { Fact, Facts } from '../../../../../lib/ui/components/facts.tsx'
import { counted, shortHex } from '../../../../../lib/ui/components/format.ts'
import { textLink } from '../../../../../lib/ui/components/link-style.ts'
import { TimeAgo } from '../../../../../lib/ui/components/time-ago.tsx'
import { formatBytes } from '../../../../../lib/ui/world/error-messages.ts'
import type { WorldView } from '../../../../../lib/views/world.ts'

const SURFACES: Readonly<Record<string, string>> = {
  'world-page': 'this page',
  'studio-plugin': 'the studio',
}

/** Author, version and hashes of a World. */
export function AboutWorld({ view: { world, ownerName, size, nowMs } }: { view: WorldView }) {
  const { manifest } = world
  return (
    <Facts stacked>
      <Fact label="Author">
        <a className="inline-flex items-center gap-2" href={ownerHref(world.owner)}>
          <Avatar address={world.owner} className="size-6" />
          <span
            className={`${textLink} ${ownerName ? '' : 'mono text-xs'}`}
            title={checksumAddress(world.owner)}
          >
            {ownerName ?? `0x${shortHex(world.owner)}`}
          </span>
        </a>
      </Fact>
      <Fact label="Version">
        {manifest.version}
        <span className="text-ink-soft">
          , <TimeAgo ms={world.updatedAt.getTime()} nowMs={nowMs} />
        </span>
      </Fact>
      <Fact label="Shown on">
        {manifest.surfaces.map((surface) => SURFACES[surface] ?? surface).join(' and ')}
      </Fact>
      <Fact label="Bundle">
        {counted(size.files, 'file')}, {formatBytes(size.bytes)}
      </Fact>
      <Fact
        label="Content hash"
        note="SHA-256 over the files as uploaded: it changes when anything in them does."
      >
        <code className="text-xs">
          {world.bundleHash}
          <CopyButton text={world.bundleHash} what="content hash" />
        </code>
      </Fact>
      <Fact label="Id">
        <code className="text-xs">
          {world.id}
          <CopyButton text={world.id} what="id" />
        </code>
      </Fact>
    </Facts>
  )
}
