import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from '#lib/features/config.ts'
import { killChildren } from '../stack/child.ts'
import { openDataFolder } from '../stack/data-folder.ts'
import { anyFreePort } from '../stack/ports.ts'
import { createProgress } from '../stack/progress.ts'
import { createStack } from '../stack/stack.ts'

/** A site for a script to open. */
export interface SiteToLookAt {
  /** Scheme, host and port. */
  readonly origin: string
  close(): Promise<void>
}

/**
 * The running site at `address`, or, without one, a new network with the example network on it, built, in a temporary
 * folder and at free ports.
 *
 * @throws Error when the address does not answer or the network cannot start.
 */
export async function openSite(address: string | undefined): Promise<SiteToLookAt> {
  if (address !== undefined) {
    const { origin } = new URL(address)
    const response = await fetch(`${origin}/chain/version`)
    if (!response.ok) throw new Error(`${origin} answers ${response.status}; is it a Weft site?`)
    return { origin, close: async () => {} }
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'weft-look-'))
  const { PATH, HOME } = process.env
  const stack = createStack({
    settings: readSettings({
      ...(PATH !== undefined && { PATH }),
      ...(HOME !== undefined && { HOME }),
      WEFT_DATA_DIR: dataDir,
      PORT: String(await anyFreePort()),
      CHAIN_PORT: String(await anyFreePort()),
    }),
    folder: openDataFolder(dataDir),
    progress: createProgress((line) => console.error(line)),
    development: false,
    onGiveUp: (reason) => {
      console.error(reason)
      process.exit(1)
    },
  })
  process.on('exit', killChildren)
  const close = async () => {
    await stack.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    return { origin: (await stack.start()).site, close }
  } catch (error) {
    await close()
    throw error
  }
}
