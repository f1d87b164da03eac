/*
 * What a World may ask for. Two families of names mean the same permissions: the first is what our documentation
 * uses, the second is a later spelling that existing Worlds carry.
 */

const FAMILY = 'dcn.'
const OTHER_FAMILY = 'decentralised.art.'

const PERMISSIONS = [
  'dcn.connectors.read',
  'dcn.transformations.read',
  'dcn.conditions.read',
  'dcn.social.read',
  'dcn.execute',
  'browser.audio',
  'browser.downloads',
] as const

export type Permission = (typeof PERMISSIONS)[number]

/** The one name of a permission in either spelling, undefined for anything else. */
export function canonicalPermission(name: string): Permission | undefined {
  const ours = name.startsWith(OTHER_FAMILY) ? `${FAMILY}${name.slice(OTHER_FAMILY.length)}` : name
  return PERMISSIONS.find((permission) => permission === ours)
}

/** Every spelling of a permission. */
export function permissionSpellings(name: Permission): readonly string[] {
  return name.startsWith(FAMILY) ? [name, `${OTHER_FAMILY}${name.slice(FAMILY.length)}`] : [name]
}
