import type { Services } from '#lib/core/context/context.ts'
import { createServices } from '#lib/core/context/services.ts'
import { readConfig } from '#lib/features/config.ts'

declare global {
  // Route handlers and pages are bundled apart and share no module state, only the process.
  var weftServices: Promise<Services> | undefined
}

/** Returns the services of this process, created from its environment on first use. @throws ConfigError */
export function getServices(): Promise<Services> {
  globalThis.weftServices ??= Promise.resolve()
    .then(() => createServices(readConfig(process.env)))
    .catch((error: unknown) => {
      // Retried at the next request.
      globalThis.weftServices = undefined
      throw error
    })
  return globalThis.weftServices
}

/** Ends the open streams of this process. */
export async function endStreams(): Promise<void> {
  const services = await globalThis.weftServices?.catch(() => undefined)
  services?.tailer.close()
}
