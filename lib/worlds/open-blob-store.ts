import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import type { BlobStore } from './blob-store.ts'
import { createPostgresBlobStore } from './blob-store-postgres.ts'
import { createS3BlobStore } from './blob-store-s3.ts'

/** The bucket when one is configured, else the database. */
export function openBlobStore(config: Pick<Config, 'blobBucket'>, db: Database): BlobStore {
  return config.blobBucket === undefined ? createPostgresBlobStore(db) : createS3BlobStore(config.blobBucket)
}
