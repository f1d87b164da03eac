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

/** Creates a logger that writes JSON lines to standard output, without credentials and query parameters. */
export function createLog(options: LoggerOptions, destination?: { write(line: string): void }): Logger {
  return pino(
    {
      ...options,
      redact: FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.headers["${name}"]`]),
      serializers: { err: (error: unknown) => stdSerializers.errWithCause(withoutValues(error) as Error) },
      hooks: { streamWrite: createScrubber(process.env) },
    },
    ...(destination === undefined ? [] : [destination]),
  )
}
