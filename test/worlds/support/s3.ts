import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import type { BucketSettings } from '../../../lib/config.ts'

export interface TestBucket {
  readonly settings: BucketSettings
  /** Keys that the bucket holds. */
  keys(): Promise<readonly string[]>
  close(): Promise<void>
}

/** A bucket on an S3-compatible server of the test's own, which checks signatures. */
export async function startBucket(): Promise<TestBucket> {
  const directory = await mkdtemp(join(tmpdir(), 'weft-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory,
    silent: true,
    configureBuckets: [{ name: 'worlds', configs: [] }],
  })
  const { port } = await server.run()
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket: 'worlds',
      prefix: 'weft/',
      // The server's own pair.
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    keys: async () => {
      const { objects } = await server.store.listObjects('worlds', { maxKeys: 100_000 })
      return objects.map(({ key }) => key)
    },
    close: async () => {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
