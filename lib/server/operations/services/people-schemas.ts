import { z } from 'zod'
import type { Page, Profile } from '#lib/core/people/users.ts'
import { parseAddress } from '#lib/protocol/address.ts'
import { parsedText } from '../../http/inputs.ts'

/* The types of sign-in, users and follows. Addresses are in EIP-55 form. */

const ADDRESS_EXAMPLE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** An account in any spelling and letter case; parses to the domain's `Address`. */
export const accountInput = parsedText(parseAddress, 'an address: 0x and 40 hexadecimal digits').meta({
  description: 'An account: 40 hexadecimal digits, with or without `0x`, in any case.',
  override: { type: 'string', pattern: '^(0x)?[a-fA-F0-9]{40}$' },
  example: ADDRESS_EXAMPLE,
})

/** An account in a path where anything that is not the caller's own is refused alike. */
export const anyAccountInput = z
  .string()
  .transform(parseAddress)
  .meta({
    description: 'Your own account, in any case.',
    override: { type: 'string' },
    example: ADDRESS_EXAMPLE,
  })

const checksummed = z
  .string()
  .regex(/^0x[a-fA-F0-9]{40}$/)
  .meta({ id: 'ChecksumAddress', description: 'An account as EIP-55 spells it.', example: ADDRESS_EXAMPLE })

const dateTime = z.iso.datetime().meta({ example: '2026-03-01T12:00:00.000Z' })

// --- Pages ----------------------------------------------------------------------------------------------------

const MAX_PAGE = 1_000_000_000

/** A number that is brought into its range, or the default where it is none. */
function clamped(min: number, max: number, otherwise: number, description: string) {
  return z
    .string()
    .optional()
    .transform((text) => {
      const number = /^[+-]?\d+$/.test(text?.trim() ?? '') ? Number(text) : otherwise
      return Math.min(Math.max(number, min), max)
    })
    .meta({
      description,
      override: {
        type: 'integer',
        minimum: min,
        ...(max < MAX_PAGE && { maximum: max }),
        default: otherwise,
      },
      example: otherwise,
    })
}

/** `page` and `limit`, brought into range and never refused; parses to `Page`. */
export function pageQuery(limit: { readonly most: number; readonly otherwise: number }) {
  return z.object({
    page: clamped(0, MAX_PAGE, 0, 'Counted from zero.'),
    limit: clamped(1, limit.most, limit.otherwise, 'Largest number of entries in the answer.'),
  }) satisfies z.ZodType<Page>
}

// --- Sign-in --------------------------------------------------------------------------------------------------

export const challengeRequest = z
  .strictObject({
    address: accountInput,
    chain_id: z.int('expected a chain id, an integer').meta({
      description: 'The chain the wallet is on; this server allows a list of them.',
      override: { type: 'integer', minimum: 1 },
      example: 31337,
    }),
    app_origin: z.string().max(2048).optional().meta({
      description: 'Scheme and host of the page, where the client sends no `Origin` header.',
      example: 'https://weft.example',
    }),
  })
  .meta({ id: 'ChallengeRequest' })

export const challengeResponse = z
  .strictObject({
    message: z.string().describe('Sign these exact bytes.'),
    expires_at: dateTime.describe('When the challenge is of no use any more.'),
  })
  .meta({ id: 'Challenge' })

export const verifyRequest = z
  .strictObject({
    message: z.string().max(4096).describe('Exactly the message of the challenge.'),
    signature: z
      .string()
      .max(8194)
      .describe('EIP-191 signature of the message, hexadecimal, with or without `0x`.'),
  })
  .meta({ id: 'VerifyRequest' })

export const sessionToken = z
  .string()
  .regex(/^[0-9a-f]{64}\.[0-9a-f]{64}$/)
  .meta({ id: 'SessionToken', description: 'Two parts of 64 hexadecimal digits with a dot between.' })

// --- Users ----------------------------------------------------------------------------------------------------

/** Any object: its keys are the owner's, `__proto__` included, so nothing may rebuild it. */
const profileObject = z
  .custom<Profile>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'expected an object',
  )
  .meta({
    description: 'Free-form. Conventional keys: `public.nickname`, `public.bio`, `public.kind`.',
    override: { type: 'object', additionalProperties: true },
    example: { public: { nickname: 'Ada', bio: 'Weaves.', kind: 'human' } },
  })

export const userPublic = z
  .strictObject({
    id: checksummed,
    display_name: z.string().nullable(),
    status: z.enum(['active', 'suspended', 'deleted']),
    roles: z.array(z.enum(['user', 'admin', 'moderator'])),
    profile_json: profileObject,
    created_at: dateTime.describe('First sign-in.'),
    updated_at: dateTime.describe('Last change of the profile.'),
    last_login_at: dateTime.nullable(),
  })
  .meta({ id: 'UserPublic' })

export const profileRequest = z
  .strictObject({
    display_name: z
      .string()
      .nullable()
      .optional()
      .describe('At most 100 characters. Null clears it; left out, it stays.'),
    profile_json: profileObject.optional().meta({
      description: 'Replaces the whole profile, at most 64 KiB; left out, it stays.',
    }),
  })
  .meta({ id: 'ProfileRequest', example: { display_name: 'Ada' } })

export const addressList = z.array(checksummed)

export const followRequest = z
  .strictObject({ followed_id: z.string().describe('The address of a user.') })
  .meta({ id: 'FollowRequest', example: { followed_id: ADDRESS_EXAMPLE } })
