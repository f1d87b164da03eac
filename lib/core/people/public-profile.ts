import { withoutBidiControls } from '#lib/protocol/names.ts'
import type { Profile } from './users.ts'

const MAX_NAME_CHARACTERS = 100

/** Conventional fields of a profile; invalid values are undefined. */
export interface PublicProfile {
  readonly name: string | undefined
  readonly bio: string | undefined
  readonly kind: 'human' | 'agent' | undefined
}

const MAX_BIO_CHARACTERS = 1000

/** Reads the conventional fields of a free-form profile. */
export function publicProfile(displayName: string | null, profile: Profile): PublicProfile {
  const fields = publicPart(profile)
  return {
    name: oneLine(displayName) ?? oneLine(fields?.nickname),
    bio: paragraphs(fields?.bio),
    kind: kindOf(fields?.kind),
  }
}

/** Names of a user for search and lists: one a line, the displayed one first. */
export function searchableNames(displayName: string | null, profile: Profile): string {
  const names = [oneLine(displayName), oneLine(publicPart(profile)?.nickname)]
  return [...new Set(names.filter((name) => name !== undefined))].join('\n')
}

function publicPart(profile: Profile): Readonly<Record<string, unknown>> | undefined {
  const fields = Object.hasOwn(profile, 'public') ? profile.public : undefined
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return undefined
  // Null prototype: keys may be `__proto__` or `toString`.
  return Object.assign(Object.create(null), fields) as Record<string, unknown>
}

/** Single line without bidirectional controls, because names are displayed among others. */
function oneLine(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = cut(
    withoutBidiControls(value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')).trim(),
    MAX_NAME_CHARACTERS,
  )
  return text === '' ? undefined : text
}

function paragraphs(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = cut(
    withoutBidiControls(value.replaceAll(/[^\P{Cc}\n]/gu, ''))
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
    MAX_BIO_CHARACTERS,
  )
  return text === '' ? undefined : text
}

function cut(text: string, most: number): string {
  const characters = [...text.toWellFormed()]
  return characters.length <= most ? text.toWellFormed() : characters.slice(0, most).join('')
}

function kindOf(value: unknown): PublicProfile['kind'] {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : ''
  if (text === 'human') return 'human'
  return /^(ai|agent|ai[ _-]agent|bot)$/.test(text) ? 'agent' : undefined
}
