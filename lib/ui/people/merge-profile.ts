/** The fields of the profile form; '' when empty. */
export interface ProfileFields {
  readonly nickname: string
  readonly bio: string
  readonly kind: '' | 'human' | 'ai_agent'
}

type Json = Readonly<Record<string, unknown>>

/**
 * A profile with the edited fields replaced. All other fields are retained: other clients may have written them, and
 * saving replaces the whole profile.
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
