import { withoutTurns } from '../domain/text-direction.ts'
import type { Profile } from './user.ts'

const MAX_NAME_CHARACTERS = 100

/** What a profile says under the keys that people of the network agree on; whatever else is in their place is not. */
export interface PublicProfile {
  readonly name: string | undefined
  readonly bio: string | undefined
  readonly kind: 'human' | 'agent' | undefined
}

const MAX_BIO_CHARACTERS = 1000

/** Reads the conventional keys of a free-form profile. */
export function publicProfile(displayName: string | null, profile: Profile): PublicProfile {
  const said = publicPart(profile)
  return {
    name: oneLine(displayName) ?? oneLine(said?.nickname),
    bio: paragraphs(said?.bio),
    kind: kindOf(said?.kind),
  }
}

/** The names of a person as they are kept for search and lists: one a line, the one that is shown first. */
export function searchableNames(displayName: string | null, profile: Profile): string {
  const names = [oneLine(displayName), oneLine(publicPart(profile)?.nickname)]
  return [...new Set(names.filter((name) => name !== undefined))].join('\n')
}

function publicPart(profile: Profile): Readonly<Record<string, unknown>> | undefined {
  const said = Object.hasOwn(profile, 'public') ? profile.public : undefined
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return undefined
  // Own keys only: a profile may name its keys `__proto__` and `toString`.
  return Object.assign(Object.create(null), said) as Record<string, unknown>
}

/** Names stand among other people's: no line breaks, and nothing that turns the direction of what follows. */
function oneLine(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = cut(
    withoutTurns(value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')).trim(),
    MAX_NAME_CHARACTERS,
  )
  return text === '' ? undefined : text
}

function paragraphs(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = cut(
    withoutTurns(value.replaceAll(/[^\P{Cc}\n]/gu, ''))
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
