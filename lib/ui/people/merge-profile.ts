/** What the account page edits; '' for what is left empty. */
export interface ProfileFields {
  readonly nickname: string
  readonly bio: string
  readonly kind: '' | 'human' | 'ai_agent'
}

type Json = Readonly<Record<string, unknown>>

/**
 * A profile with the edited fields in place. Everything else in it is somebody's too, whatever it is called: other
 * programs keep their things there, and saving replaces the whole profile.
 */
export function mergeProfile(profile: Json, { nickname, bio, kind }: ProfileFields): Json {
  const before = Object.hasOwn(profile, 'public') && isObject(profile.public) ? profile.public : {}
  const fields = Object.entries({ nickname: nickname.trim(), bio: bio.trim(), kind })
  const others = Object.entries(before).filter(([key]) => !fields.some(([name]) => name === key))
  return {
    ...profile,
    public: Object.fromEntries([...others, ...fields.filter(([, value]) => value !== '')]),
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
