import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { compileStyles } from '../../support/compile-styles.ts'
import { bundleModules } from '../bundle.ts'

const TRANSPORT = new URL('../../../lib/ui/studio/transport/', import.meta.url)

/** A server of `transport-page.ts`: audio worklets exist on secure origins only, which loopback is. */
export async function startTransportSite(): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const files = await bundleModules('test/studio/transport/transport-page.ts')
  const sources = (await readdir(TRANSPORT)).filter((name) => name.endsWith('.tsx'))
  const styles = await compileStyles([
    ...sources.map((name) => new URL(name, TRANSPORT)),
    new URL('transport-page.ts', import.meta.url),
  ])
  const html = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Transport</title><link rel="icon" href="data:,"><style>${styles}</style><div id="root"></div><script type="module" src="/transport-page.js"></script></html>`
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '')
    if (file !== undefined) response.setHeader('content-type', 'text/javascript').end(file)
    else response.setHeader('content-type', 'text/html').end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
