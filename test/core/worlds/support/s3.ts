import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { BucketSettings } from '#lib/platform/config.ts'
import { listen, stop } from '#test/support/listen.ts'

export interface TestBucket {
  readonly settings: BucketSettings
  /** Keys of all objects, in byte order. */
  keys(): readonly string[]
  close(): Promise<void>
}

const REGION = 'us-east-1'
const KEY_ID = 'test-key'
const SECRET = 'test-secret'

/**
 * A bucket in memory behind the part of the S3 protocol that the blob store uses: PUT, GET with a range, DELETE. Requests
 * must carry a valid AWS signature (version 4) in a header or, of a PUT, in the query; bodies the hash that was signed
 * in a header.
 */
export async function startBucket(): Promise<TestBucket> {
  const objects = new Map<string, Buffer>()
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const { status, headers, content } = answer(request, body, objects)
    response.writeHead(status, headers).end(content)
  })
  const port = await listen(server)
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: REGION,
      bucket: 'worlds',
      prefix: 'weft/',
      accessKeyId: KEY_ID,
      secretAccessKey: SECRET,
    },
    keys: () => [...objects.keys()].toSorted(),
    close: () => stop(server),
  }
}

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly content?: Buffer | string
}

function answer(request: IncomingMessage, body: Buffer, objects: Map<string, Buffer>): Answer {
  const { method, url = '' } = request
  const [path = '', query = ''] = url.split('?')
  const address = method === 'PUT' ? new URLSearchParams(query) : new URLSearchParams()
  const isAddressed = address.has('X-Amz-Signature')
  const signed = isAddressed ? isSignedAddress(request, address) : isSigned(request)
  if (!signed) return { status: 403, content: '<Code>SignatureDoesNotMatch</Code>' }
  const signedHash = request.headers['x-amz-content-sha256']
  if (method === 'PUT' && !isAddressed && signedHash !== sha256(body)) {
    return { status: 400, content: '<Code>XAmzContentSHA256Mismatch</Code>' }
  }
  const [, bucket, ...rest] = path.split('/').map(decodeURIComponent)
  if (bucket !== 'worlds') return { status: 404, content: '<Code>NoSuchBucket</Code>' }
  const key = rest.join('/')
  if (method === 'PUT') {
    objects.set(key, body)
    return { status: 200 }
  }
  if (method === 'DELETE') {
    objects.delete(key)
    return { status: 204 }
  }
  const object = objects.get(key)
  if (object === undefined) return { status: 404, content: '<Code>NoSuchKey</Code>' }
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
  if (range === null) return { status: 200, content: object }
  const [start, last] = [Number(range[1]), Math.min(Number(range[2]), object.length - 1)]
  if (start > last) return { status: 416, content: '<Code>InvalidRange</Code>' }
  const headers = { 'content-range': `bytes ${start}-${last}/${object.length}` }
  return { status: 206, headers, content: object.subarray(start, last + 1) }
}

/** AWS signature version 4, in the header `Authorization`. */
function isSigned(request: IncomingMessage): boolean {
  const { method = '', url = '', headers } = request
  const fields =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
  const [, keyId, day = '', region = '', signedHeaders = '', signature = ''] =
    fields.exec(headers.authorization ?? '') ?? []
  if (keyId !== KEY_ID || region !== REGION) return false
  const canonical = [
    method,
    url.split('?')[0],
    url.split('?')[1] ?? '',
    ...signedHeaders.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedHeaders,
    headers['x-amz-content-sha256'],
  ].join('\n')
  return matches(signature, day, String(headers['x-amz-date']), canonical)
}

/** The same signature in the query of an address, which expires. */
function isSignedAddress({ method, url = '', headers }: IncomingMessage, query: URLSearchParams): boolean {
  const [keyId, day = '', region] = (query.get('X-Amz-Credential') ?? '').split('/')
  if (keyId !== KEY_ID || region !== REGION) return false
  const date = query.get('X-Amz-Date') ?? ''
  const begun = Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  if (!(Date.now() < begun + Number(query.get('X-Amz-Expires')) * 1000)) return false
  const signedHeaders = query.get('X-Amz-SignedHeaders') ?? ''
  const canonical = [
    method,
    url.split('?')[0],
    [...query]
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .toSorted()
      .join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedHeaders,
    'UNSIGNED-PAYLOAD',
  ].join('\n')
  return matches(query.get('X-Amz-Signature') ?? '', day, date, canonical)
}

function matches(signature: string, day: string, date: string, canonical: string): boolean {
  const scope = `${day}/${REGION}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = [day, REGION, 's3', 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${SECRET}`))
  const expected = hmac(key, text)
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(expected, given)
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex')
}
