import { canonicalPermission, type Permission } from '../../domain/world-permissions.ts'

const WORDS: Readonly<Record<Permission, string>> = {
  'dcn.connectors.read': 'Ask this page about published connectors and formats',
  'dcn.transformations.read': 'Ask this page about published transformations',
  'dcn.conditions.read': 'Ask this page about published conditions',
  'dcn.social.read': 'Ask this page for the public feed',
  'dcn.execute': 'Have this page run connectors, within its limits',
  'browser.audio': 'Play sound',
  'browser.downloads': 'Offer you files to download',
}

export interface PermissionInWords {
  /** As our documentation spells it. */
  readonly name: Permission
  readonly words: string
}

/** Every permission there is. */
export const allPermissionsInWords: readonly PermissionInWords[] = (Object.keys(WORDS) as Permission[]).map(
  (name) => ({ name, words: WORDS[name] }),
)

/** What a World may do, in the order of the list above; names that are no permissions grant nothing. */
export function permissionsInWords(permissions: readonly string[]): readonly PermissionInWords[] {
  const has = new Set(permissions.map(canonicalPermission))
  return allPermissionsInWords.filter(({ name }) => has.has(name))
}

/** What no World may, whatever its manifest says. */
export const NEVER: readonly string[] = [
  'Reach any server, this one’s APIs included: it loads the files of its own bundle and nothing else',
  'See your account, your wallet, cookies or other pages',
  'Use camera, microphone, clipboard or location',
  'Open windows or lead this page elsewhere',
]
