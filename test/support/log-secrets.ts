import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What would let a reader of a log act as somebody. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  'an access token': /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/,
  'a session token': /\b[0-9a-f]{64}\.[0-9a-f]{64}\b/,
  'a bearer token': /\bBearer\s+(?!\[token\])[\w-]{8,}/i,
  'a sealed cookie': /Fe26\.2\*/,
  'a session cookie': /weft-session=/,
  'a signature or a raw transaction': /\b0x[0-9a-fA-F]{130,}/,
}

/**
 * Looks through all that a program printed and wrote to its logs.
 *
 * @param dataDir Its folder, whose own secrets are looked for as they are.
 * @returns Where something was found and what kind of thing, never the thing itself.
 */
export function secretsInLogs(dataDir: string, output: string): string[] {
  const folder = join(dataDir, 'logs')
  const files = existsSync(folder) ? readdirSync(folder) : []
  const texts = [
    ['output', output] as const,
    ...files.map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const),
  ]
  const own = ownSecrets(dataDir)
  return texts.flatMap(([name, text]) =>
    text.split('\n').flatMap((line, index) => {
      const kinds = Object.keys(SHAPES).filter((kind) => SHAPES[kind]?.test(line))
      const secrets = Object.keys(own).filter((secret) => line.includes(own[secret] ?? ''))
      return [...kinds, ...secrets].map((kind) => `${name}:${index + 1} holds ${kind}`)
    }),
  )
}

function ownSecrets(dataDir: string): Readonly<Record<string, string>> {
  const file = join(dataDir, 'secrets.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
}
