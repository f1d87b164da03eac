import { afterEach, expect, test, vi } from 'vitest'
import { publishBundle, startPreview } from '#lib/ui/world-editor/requests.ts'

const LARGE = new Blob([new Uint8Array(4_000_001)])
const SMALL = new Blob([new Uint8Array(4_000_000)])

/** A page of a site that answers everything, and the requests it makes. */
function page({ byAddress, status = 200 }: { byAddress: boolean; status?: number }): string[] {
  const asked: string[] = []
  const answers: Record<string, unknown> = {
    '/session/network': { bundles_by_address: byAddress },
    '/studio/api/world-uploads': {
      key: 'upload-1',
      url: 'https://s3.example/upload-1',
      type: 'application/zip',
    },
    '/studio/api/world-uploads/preview': { id: 'by bucket' },
    '/studio/api/world-uploads/publication': { slug: 'by-bucket' },
  }
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    asked.push([method, path, body].filter(Boolean).join(' '))
    return Response.json(answers[path])
  })
  class Sender {
    readonly upload = {}
    status = 0
    responseText = JSON.stringify({ slug: 'direct', id: 'direct' })
    onload = () => undefined
    getResponseHeader() {
      return null
    }
    opened = ''
    open(method: string, url: string) {
      this.opened = `${method} ${url}`
    }
    send(body: FormData | Blob) {
      asked.push(`${this.opened} ${body instanceof Blob ? `${body.size} ${body.type}` : 'form'}`)
      this.status = status
      queueMicrotask(() => this.onload())
    }
  }
  vi.stubGlobal('XMLHttpRequest', Sender)
  return asked
}
afterEach(() => vi.unstubAllGlobals())

function preview(bundle: Blob, signedIn = true) {
  return startPreview(bundle, signedIn, () => undefined, new AbortController().signal)
}

function publish(bundle: Blob) {
  return publishBundle(bundle, () => undefined)
}

test('a large bundle goes to the bucket where the site says so', async () => {
  const asked = page({ byAddress: true })
  expect(await preview(LARGE)).toEqual({ id: 'by bucket' })
  expect(await publish(LARGE)).toBe('by-bucket')
  const upload = (end: string) => [
    'GET /session/network',
    'POST /studio/api/world-uploads {"bytes":4000001}',
    'PUT https://s3.example/upload-1 4000001 application/zip',
    `POST /studio/api/world-uploads/${end} {"key":"upload-1"}`,
  ]
  expect(asked).toEqual([...upload('preview'), ...upload('publication')])
})

test('everything else goes to the site', async () => {
  const asked = page({ byAddress: true })
  expect(await publish(SMALL)).toBe('direct')
  expect(asked).toEqual(['POST /services/worlds/upload form'])
  const others = page({ byAddress: false })
  expect(await preview(LARGE, false)).toEqual({ slug: 'direct', id: 'direct' })
  expect(others).toEqual(['GET /session/network', 'POST /studio/api/world-previews form'])
})

test('a visitor is asked to sign in, and a bucket that refuses is named', async () => {
  page({ byAddress: true, status: 403 })
  await expect(preview(LARGE, false)).rejects.toThrow('Sign in first')
  await expect(publish(LARGE)).rejects.toThrow('store of files does not take the bundle')
})
