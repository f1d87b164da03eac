import { type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'
import { createScrubber } from './scrub.ts'
import { withoutValues } from './without-values.ts'

/** Redacted fields. */
const FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'access_token',
  'token',
  'signature',
  'privateKey',
  'raw_tx',
]

/**
 * Creates a logger that writes JSON lines to standard output, without credentials and query parameters.
 *
 * @param options.secrets Names of variables that hold secrets.
 */
export function createLog(
  { secrets, ...options }: LoggerOptions & { readonly secrets: readonly string[] },
  destination?: { write(line: string): void },
): Logger {
  return pino(
    {
      ...options,
      redact: FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.headers["${name}"]`]),
      serializers: { err: (error: unknown) => stdSerializers.errWithCause(withoutValues(error) as Error) },
      hooks: { streamWrite: createScrubber(process.env, secrets) },
    },
    ...(destination === undefined ? [] : [destination]),
  )
}
