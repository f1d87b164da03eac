import { AwsClient } from 'aws4fetch'
import { Failure } from '#lib/protocol/failure.ts'
import type { BucketSettings } from '../config.ts'
import type { BlobStore } from './blob-store.ts'

const TIMEOUT_MS = 60_000
const RETRIES = 3
const CONCURRENT_DELETES = 8

/** Stores blobs in an S3-compatible bucket. */
export function createS3BlobStore(settings: BucketSettings): BlobStore {
  const client = new AwsClient({
    accessKeyId: settings.accessKeyId,
    secretAccessKey: settings.secretAccessKey,
    region: settings.region,
    service: 's3',
    retries: RETRIES,
  })
  const base = `${settings.endpoint.replace(/\/$/, '')}/${settings.bucket}/${settings.prefix}`

  const call = async (
    method: 'PUT' | 'GET' | 'DELETE',
    hash: string,
    init: { body?: Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
  ): Promise<Response> => {
    try {
      return await client.fetch(`${base}${hash}`, {
        method,
        ...init,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
    } catch (cause) {
      throw unavailable(method, cause)
    }
  }

  return {
    put: async (hash, bytes) => {
      const response = await call('PUT', hash, {
        body: bytes as Uint8Array<ArrayBuffer>,
        // The key is the checksum, so that the bucket refuses bytes that changed in transit.
        headers: { 'X-Amz-Content-Sha256': hash, 'Content-Type': 'application/octet-stream' },
      })
      await expectStatus(response, 'PUT', [200])
    },
    read: async (hash, range) => {
      if (range !== undefined && range.start >= range.end) {
        return (await exists(hash)) ? new Uint8Array(0) : undefined
      }
      const response = await call('GET', hash, {
        headers: range === undefined ? {} : { Range: `bytes=${range.start}-${range.end - 1}` },
      })
      if (response.status === 404) {
        await response.body?.cancel()
        return undefined
      }
      if (response.status === 416) {
        await response.body?.cancel()
        return new Uint8Array(0)
      }
      if (response.status !== 200 && response.status !== 206) await expectStatus(response, 'GET', [])
      const bytes = await body(response)
      if (range === undefined) return bytes
      // Some stores ignore the range or return more.
      const first = response.status === 200 ? range.start : 0
      return bytes.slice(first, first + range.end - range.start)
    },
    delete: async (hashes) => {
      const waiting = [...hashes]
      const one = async () => {
        for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
          await expectStatus(await call('DELETE', hash), 'DELETE', [200, 204, 404])
        }
      }
      await Promise.all(Array.from({ length: CONCURRENT_DELETES }, one))
    },
    signUpload: async (key, { bytes, type, seconds }) => {
      const headers = { 'Content-Length': String(bytes), 'Content-Type': type }
      // `allHeaders`: by default the signature leaves these two out, and the bucket would take any others.
      const aws = { signQuery: true, allHeaders: true }
      const url = `${base}${key}?X-Amz-Expires=${seconds}`
      return (await client.sign(url, { method: 'PUT', headers, aws })).url
    },
    close: async () => {},
  }

  async function exists(hash: string): Promise<boolean> {
    const response = await call('GET', hash, { headers: { Range: 'bytes=0-0' } })
    await response.body?.cancel()
    if (response.status === 404) return false
    if (![200, 206, 416].includes(response.status)) throw unavailable('GET', response.status)
    return true
  }
}

async function expectStatus(response: Response, method: string, expected: readonly number[]): Promise<void> {
  const text = await response.text().catch(() => '')
  if (!expected.includes(response.status)) {
    throw unavailable(method, new Error(`${response.status} ${text.slice(0, 500)}`))
  }
}

async function body(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await response.arrayBuffer())
  } catch (cause) {
    throw unavailable('GET', cause)
  }
}

function unavailable(method: string, cause: unknown): Failure {
  return new Failure(
    'storage_unavailable',
    'The store of World files does not answer',
    {},
    { internal: `${method} of a blob failed`, cause },
  )
}
