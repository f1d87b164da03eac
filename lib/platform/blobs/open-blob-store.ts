import type { Config } from '../config.ts'
import type { BlobStore } from './blob-store.ts'
import { createPostgresBlobStore } from './blob-store-postgres.ts'
import { createS3BlobStore } from './blob-store-s3.ts'

/** The bucket when one is configured, else the database. */
export function openBlobStore({
  blobBucket,
  databaseUrl,
}: Pick<Config, 'blobBucket' | 'databaseUrl'>): BlobStore {
  return blobBucket === undefined ? createPostgresBlobStore(databaseUrl) : createS3BlobStore(blobBucket)
}
