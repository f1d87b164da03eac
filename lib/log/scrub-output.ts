import { createScrubber } from './scrub.ts'
import { withoutValues } from './without-values.ts'

declare global {
  // Next bundles `instrumentation.ts` apart from the server's own code; the two share no module, only the process.
  var weftScrubsOutput: boolean | undefined
}

/** What frameworks tell errors with. */
const SAYS_ERRORS = ['error', 'warn', 'log'] as const

/**
 * Takes secrets out of what else this process prints: libraries and frameworks write errors to the console, past every
 * log. To be called first; again, it does nothing.
 *
 * The process outlives whoever reads what it prints: without a listener, the error of a broken pipe would be one that
 * nobody handles, and to print that is the next such error.
 */
export function scrubOutput(): void {
  if (globalThis.weftScrubsOutput) return
  globalThis.weftScrubsOutput = true
  const scrub = createScrubber(process.env)
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream)
    stream.write = ((text: unknown, ...rest: never[]) =>
      write(typeof text === 'string' ? scrub(text) : (text as Uint8Array), ...rest)) as typeof stream.write
    stream.on('error', () => undefined)
  }
  // As text nobody can tell any more where a value begins and ends.
  for (const method of SAYS_ERRORS) {
    const say = console[method].bind(console)
    console[method] = (...said: unknown[]) => say(...said.map(withoutValues))
  }
}
