import { codeContentHash } from '../../lib/domain/content-hash.ts'
import { deployerOn, publisherFor } from '../../scripts/contracts/publisher.ts'
import { devAccount } from '../../scripts/stack/contracts.ts'
import { draftOf } from './mix.ts'
import type { Stage } from './stage.ts'

export interface Publishing {
  /** @returns how many were published. */
  stop(): Promise<number>
}

/** Somebody who drafts a connector and publishes a transformation every now and then: work for the worker. */
export async function publishing({ program, runnable }: Stage, perMinute: number): Promise<Publishing> {
  const { chainRpc, registry } = program.endpoints
  const publisher = publisherFor(deployerOn(chainRpc, devAccount(7)), registry)
  const add = (await program.client.request('GET', '/chain/transformation/add')).status
  if (add !== 200) throw new Error('the example network has no add')
  const base = runnable.find(({ artifact }) => artifact.kind === 'connector')!
  let published = 0
  let stopped = false
  const one = async (index: number): Promise<void> => {
    const name = `Soak_${Date.now().toString(36)}_${index}`
    const { path, body } = draftOf(base, `${name}_draft`, {})
    await program.post(path.replace('/chain', ''), JSON.parse(body!) as unknown)
    const runtime = `0x60005260206000f3${index.toString(16).padStart(8, '0')}` as const
    const contentHash = codeContentHash('transformation', name, 0, runtime)
    await publisher.publish({ kind: 'transformation', name, argsCount: 0, runtime, contentHash })
    published += 1
  }
  const running = (async () => {
    for (let index = 0; !stopped; index++) {
      await one(index).catch((error: unknown) => console.error(`publishing: ${String(error).slice(0, 300)}`))
      await new Promise((resolve) => setTimeout(resolve, 60_000 / perMinute))
    }
  })()
  return {
    async stop() {
      stopped = true
      await running
      return published
    },
  }
}
