import { z } from 'zod'
import { BUNDLE_LIMITS } from '#lib/compute/bundle/limits.ts'
import { SURFACES } from '#lib/compute/bundle/manifest.ts'
import { MAX_ZIP_MIB } from '#lib/protocol/world-manifest.ts'
import { parsedText } from '../../http/inputs.ts'

/* The types of Worlds, in camelCase as their clients expect them. */

const MAX_PAGE = 100_000
const MAX_SEARCH = 200

/** The file of an upload. */
export const bundleFile = {
  field: 'bundle',
  maxBytes: BUNDLE_LIMITS.upload,
  description: `A ZIP with \`world-manifest.json\` at its root, at most ${MAX_ZIP_MIB} MiB.`,
} as const

export const worldParams = z.object({
  id: z.string().meta({ description: 'Id of the World.', example: 'wld_4q2xk7m3p5r6s7t2u3v4' }),
})

// --- The list -------------------------------------------------------------------------------------------------

function integerQuery(min: number, max: number, otherwise: number, description: string) {
  return parsedText((text) => {
    const number = /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : Number.NaN
    return number >= min && number <= max ? number : undefined
  }, `an integer from ${min} to ${max}`)
    .optional()
    .transform((value) => value ?? otherwise)
    .meta({
      description,
      override: { type: 'integer', format: 'int32', minimum: min, maximum: max, default: otherwise },
      example: otherwise,
    })
}

const search = z
  .string()
  .trim()
  .max(MAX_SEARCH, `expected at most ${MAX_SEARCH} characters`)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'control characters are not accepted')
  .optional()
  .meta({ description: 'Text in the name, slug or a description, case-insensitive.', example: 'drum' })

export const worldsQuery = z.object({
  page: integerQuery(0, MAX_PAGE, 0, 'Counted from zero.'),
  limit: integerQuery(1, 100, 50, 'Largest number of Worlds in the answer.'),
  surface: z
    .enum(SURFACES, `expected ${SURFACES.join(' or ')}`)
    .optional()
    .meta({ description: 'Only Worlds that can be shown there.', example: 'world-page' }),
  q: search,
})

// --- The descriptor -------------------------------------------------------------------------------------------

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const range = z.strictObject({ min: z.number(), max: z.number() })

const valueLimits = z.strictObject({
  particlesCount: range.optional(),
  connectorValues: z
    .record(z.string(), range)
    .optional()
    .meta({ description: 'By output path, for instance `/pitch:0`.' }),
})

const connectorSet = z
  .strictObject({ connectors: z.array(z.string()), optionalConnectors: z.array(z.string()) })
  .meta({ id: 'ConnectorSet' })

const fromManifest = {
  slug: z.string().meta({ example: 'night-loom' }),
  name: z.string().meta({ example: 'Night Loom' }),
  version: z.string().meta({ example: '0.1.0' }),
  description: z.string().meta({ example: 'Weaves pitch and time into light.' }),
  entryPath: z.string().meta({ description: 'Entry page inside the bundle.', example: 'index.html' }),
  runtime: z.literal('iframe'),
  surfaces: z.array(z.enum(SURFACES)),
  permissions: z.array(z.string()).meta({ example: ['dcn.connectors.read', 'dcn.execute'] }),
  shortDescription: z.string().optional(),
  heroLabel: z.string().optional(),
  accentColor: z.string().optional(),
  preview: z.string().optional().meta({ description: 'Image inside the bundle.' }),
  acceptedFormatHashes: z.array(z.string()),
  acceptedConnectorSets: z.array(connectorSet),
  valueLimits: valueLimits.optional(),
}

export const worldDescriptor = z
  .strictObject({
    id: z.string().meta({ example: 'wld_4q2xk7m3p5r6s7t2u3v4' }),
    ...fromManifest,
    entryUrn: z.string().meta({
      description: 'Where the entry page is served, below the base of this API.',
      example: '/world-assets/wld_4q2xk7m3p5r6s7t2u3v4/index.html',
    }),
    ownerId: z
      .string()
      .regex(/^0x[a-fA-F0-9]{40}$/)
      .meta({
        description: 'Address of the owner, spelled as in EIP-55.',
        example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      }),
    bundleHash: sha256.meta({
      description:
        'SHA-256 over `path NUL size NUL sha256 LF` of every file as uploaded, sorted by path: zipping the same files ' +
        'again yields the same hash.',
    }),
    manifestHash: sha256.meta({ description: 'SHA-256 over the bytes of `world-manifest.json`.' }),
    status: z.enum(['active', 'deleted']),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'WorldDescriptor' })

export const worldList = z.array(worldDescriptor)

export const validateResponse = z
  .strictObject({
    descriptor: z.strictObject(fromManifest).meta({ id: 'WorldPreview' }),
    bundleHash: sha256,
    manifestHash: sha256,
    warnings: z.array(z.string()).meta({ description: 'Suggestions for the author, one sentence each.' }),
  })
  .meta({ id: 'ValidatedWorld' })
