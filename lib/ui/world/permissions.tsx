import { Check, ShieldCheck, X } from 'lucide-react'
import { canonicalPermission, type Permission } from '#lib/protocol/world-manifest.ts'
import { Part } from '#lib/ui/components/part.tsx'

const WORDS: Readonly<Record<Permission, string>> = {
  'dcn.connectors.read': 'Ask this page about published pieces and formats',
  'dcn.transformations.read': 'Ask this page about published functions',
  'dcn.conditions.read': 'Ask this page about published gates',
  'dcn.social.read': 'Ask this page for the public feed',
  'dcn.execute': 'Have this page run pieces, within its limits',
  'browser.audio': 'Play sound',
  'browser.downloads': 'Offer you files to download',
}

interface PermissionDescription {
  /** As our documentation spells it. */
  readonly name: Permission
  readonly words: string
}

/** All permissions. */
export const PERMISSIONS: readonly PermissionDescription[] = (Object.keys(WORDS) as Permission[]).map(
  (name) => ({ name, words: WORDS[name] }),
)

/** Descriptions of a manifest's permissions; unknown names are left out. */
export function describePermissions(permissions: readonly string[]): readonly PermissionDescription[] {
  const has = new Set(permissions.map(canonicalPermission))
  return PERMISSIONS.filter(({ name }) => has.has(name))
}

/** Never allowed, whatever the manifest requests. */
const NEVER: readonly string[] = [
  'Reach any server, this one’s APIs included: it loads the files of its own bundle and nothing else',
  'See your account, your wallet, cookies or other pages',
  'Use camera, microphone, clipboard or location',
  'Open windows or lead this page elsewhere',
]

/** Permissions of a World, and those that none can have. */
export function PermissionSheet({ permissions }: { permissions: readonly string[] }) {
  const granted = describePermissions(permissions)
  return (
    <div className="space-y-4 text-sm">
      <div>
        <p className="pb-1 font-medium">It may</p>
        <ul className="space-y-1.5">
          <Line allowed words="Draw what you give it" />
          {granted.map(({ name, words }) => (
            <Line key={name} allowed words={words} name={name} />
          ))}
        </ul>
      </div>
      <div>
        <p className="pb-1 font-medium">It cannot</p>
        <ul className="space-y-1.5">
          {NEVER.map((words) => (
            <Line key={words} words={words} />
          ))}
        </ul>
      </div>
    </div>
  )
}

function Line({ words, name, allowed = false }: { words: string; name?: string; allowed?: boolean }) {
  const Sign = allowed ? Check : X
  return (
    <li className="flex gap-2">
      <Sign
        className={`mt-1 size-3.5 shrink-0 ${allowed ? 'text-verdigris' : 'text-edge'}`}
        aria-hidden="true"
      />
      <span className="min-w-0">
        {words}
        {name ? <code className="block text-ink-soft text-xs [overflow-wrap:anywhere]">{name}</code> : null}
      </span>
    </li>
  )
}

/** The one promise that holds for every World. */
export function NetworkBadge() {
  return (
    <span
      className="inline-flex min-h-6 items-center gap-1.5 whitespace-nowrap rounded-full border border-verdigris/50 px-2.5 py-0.5 font-medium text-xs"
      title="It loads its own files from this site and can reach nothing else."
    >
      <ShieldCheck className="size-3.5 text-verdigris" aria-hidden="true" />
      Cannot reach the network
    </span>
  )
}

/** The permissions as a section of a World's page. */
export function PermissionSection({ permissions }: { permissions: readonly string[] }) {
  return (
    <Part id="trust" title="What it may do" aside={<NetworkBadge />}>
      <PermissionSheet permissions={permissions} />
    </Part>
  )
}
