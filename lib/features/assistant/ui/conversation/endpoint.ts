import '#lib/browser/zod-without-eval.ts'
import * as z from 'zod/mini'
import { browserMemory } from '#lib/browser/memory.ts'
import { createValue, type Readable } from '#lib/browser/value.ts'

/** The reader's model. The key is in this browser, and in requests to that address. */
const endpointSchema = z.strictObject({
  api: z.enum(['anthropic', 'openai']),
  /** Base address of the API. */
  url: z.string().check(z.maxLength(500)),
  model: z.string().check(z.minLength(1), z.maxLength(200)),
  /** Empty for servers without keys. */
  key: z.string().check(z.maxLength(500)),
  /** Whether the model takes pictures. */
  pictures: z.boolean(),
})
export type Endpoint = z.infer<typeof endpointSchema>
export type ApiName = Endpoint['api']

/** Default address of each API. */
export const API_URLS: Readonly<Record<ApiName, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
}

const KEY = 'weft-assistant'

const stored = createValue<Endpoint | undefined>(read())

// Another tab stores or forgets it; `key` is null where all of the site's storage was cleared.
globalThis.addEventListener?.('storage', ({ key }) => {
  if (key === KEY || key === null) stored.setState(read())
})

/** The reader's model, in this browser's storage only and the same in all its tabs; undefined until it is set up. */
export const storedEndpoint: Readable<Endpoint | undefined> = stored

/** Stores the reader's model in this browser; undefined forgets it, with the key. */
export function storeEndpoint(next: Endpoint | undefined): void {
  browserMemory.write(KEY, next && JSON.stringify(next))
  stored.setState(next)
}

function read(): Endpoint | undefined {
  try {
    return endpointSchema.safeParse(JSON.parse(browserMemory.read(KEY) ?? 'null')).data
  } catch {
    return undefined
  }
}

/** Problem of an address, as a sentence; undefined where it can be used. @param allowed Origins of the site's setting. */
export function addressProblem(url: string, allowed: readonly string[]): string | undefined {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    return 'Write an address like https://api.example/v1.'
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '')
    return 'Write the address alone, without a name, a question mark or a hash.'
  return allowed.includes(parsed.origin)
    ? undefined
    : `This site lets its pages connect to ${allowed.join(', ')}. Its operator can add ${parsed.origin}.`
}

/**
 * Problem of a key, as a sentence; undefined where it can be used. A stored key goes to the server that it was stored for.
 *
 * @param stored The reader's model before this change.
 */
export function keyProblem({ url, key }: Endpoint, stored: Endpoint | undefined): string | undefined {
  if (key === '') return url.startsWith('http:') ? undefined : 'Write your key of that API.'
  const before = stored && URL.parse(stored.url)?.origin
  if (key !== stored?.key || before === URL.parse(url)?.origin) return undefined
  return `This key is for ${before}. Write the one for the new address, or clear the field.`
}
