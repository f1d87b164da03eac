import type { Context } from '#lib/core/context/context.ts'
import { startIndexer } from '#lib/core/indexer/indexer.ts'
import { uploadWorld } from '#lib/core/worlds/publish-world.ts'
import type { Config } from '#lib/platform/config.ts'
import type { Artifact, BuiltArtifact } from '#lib/protocol/artifact.ts'
import { type AuthorMetadata, encodeAuthorMetadata } from '#lib/protocol/author-metadata.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import type { Address, Hex } from '#lib/protocol/entity.ts'
import { openTestContext } from '#test/core/worlds/support/context.ts'
import compiledBodies from '#test/fixtures/compiled-bodies.json' with { type: 'json' }
import { chainConfig } from '#test/support/chain-config.ts'
import { type ConnectorSketch, Shelf } from '#test/support/definitions.ts'
import { startTestRegistry } from '#test/support/registry-chain.ts'
import { startServices } from '#test/support/services.ts'
import { until } from '#test/support/until.ts'

const BODIES: Readonly<Record<string, readonly [args: number, body: string]>> = {
  add: [1, 'return x + args[0];'],
  cycle: [2, 'return (x + args[0]) % args[1];'],
  strict: [1, 'require(x < args[0], "too large"); return x + 1;'],
  timed: [0, 'return x + uint32(block.number);'],
}

export type PieceNetwork = Awaited<ReturnType<typeof startPieceNetwork>>

/** A chain with pieces on it, and sites that follow it. */
export async function startPieceNetwork() {
  const registry = await startTestRegistry()
  const shelf = new Shelf()
  const publish = (artifact: BuiltArtifact, metadata?: Hex) =>
    registry.publish(shelf.add(artifact) as Artifact, metadata)
  for (const [name, [argsCount, body]] of Object.entries(BODIES)) {
    const runtime = (compiledBodies as Readonly<Record<string, string>>)[body] as Hex
    const contentHash = codeContentHash('transformation', name, argsCount, runtime)
    await publish({ kind: 'transformation', name, argsCount, runtime, contentHash })
  }
  const closing: (() => Promise<void>)[] = []
  return {
    registry,
    /** Publishes a connector with its author's words. */
    publish: (sketch: ConnectorSketch, words: AuthorMetadata = {}) =>
      publish(shelf.connector(sketch), encodeAuthorMetadata(words)),
    /** A site with a database of its own, which has read everything that is on chain now. */
    async site(config: Partial<Config> = {}) {
      const { services, close } = await startServices({ ...chainConfig(registry.chain), ...config })
      const ending = new AbortController()
      const worker = startIndexer(services, { signal: ending.signal })
      closing.push(async () => {
        ending.abort()
        await worker.done
        await close()
      })
      const projected = async () => {
        const head = Number(await registry.chain.publicClient.getBlockNumber({ cacheTime: 0 }))
        await until(`block ${head} is projected`, () => (worker.status().state?.processedBlock ?? -1) >= head)
      }
      await projected()
      const ctx: Context = openTestContext(services, OWNER)
      return { ctx, projected, upload: (zip: Uint8Array<ArrayBuffer>) => uploadWorld(ctx, zip) }
    },
    async close() {
      for (const end of closing) await end()
      await registry.close()
    },
  }
}

const OWNER: Address = `0x${'a1'.repeat(20)}`

/** One voice that goes round, and one that climbs. */
export function twoVoices(name: string): ConnectorSketch {
  return {
    name,
    dimensions: [
      { transformations: [{ name: 'cycle', args: [3, 24] }] },
      { transformations: [{ name: 'add', args: [2] }] },
    ],
  }
}
