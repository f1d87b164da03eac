import { Failure } from './failure.ts'

/** Every reason to answer 503 because this process has too much to do: message and seconds for `Retry-After`. */
const OVERLOADS = {
  work: ['The server is busy; try again shortly', 1],
  uploads: ['The server holds as many uploads as it can; try again shortly', 2],
  previews: ['Too many previews are running; try again shortly', 1],
  compile: ['Too many bodies are waiting to be compiled; try again shortly', 2],
  simulate: ['Too many simulations are waiting; try again shortly', 2],
  execute: ['Too many large executions are waiting; try again shortly', 2],
  bundleCheck: ['Too many bundles are being checked; try again shortly', 2],
  certificates: ['Too many certificates and files of pieces are being made; try again shortly', 5],
  pictures: ['Too many pictures are being drawn; try again shortly', 2],
  streams: ['Too many streams are open', 5],
  largeAnswers: ['Too many large answers are on their way; try again shortly', 2],
} as const satisfies Record<string, readonly [message: string, retryAfterSeconds: number]>

export type Overload = keyof typeof OVERLOADS

export function overloaded(reason: Overload): Failure {
  const [message, retryAfterSeconds] = OVERLOADS[reason]
  return new Failure('overloaded', message, { retryAfterSeconds })
}
