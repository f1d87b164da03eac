import { type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'
import { createScrubber } from './scrub.ts'
import { withoutValues } from './without-values.ts'

/** Fields that are secrets whatever they hold, wherever a line has them. */
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
 * A log of this process, one JSON object a line on standard output. What would let a reader of it act as somebody is
 * taken out, and so is what the database was asked with.
 */
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
