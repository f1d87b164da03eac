import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeBundle } from '#test/core/worlds/support/bundle.ts'
import { bundleForm } from '#test/support/form.ts'
import { type Answer, type Ask, dial, flood, newAddress } from './client.ts'

/** Attack of one client, or of one with four networks, for as long as the signal lasts. */
interface Attack {
  readonly title: string
  /** Wait of others before turns went by usage, where it was measured. */
  readonly before?: string
  readonly run: (site: Site, signal: AbortSignal) => Promise<unknown>
  /** A small request of another client for the same thing, where none of those that are always sent is. */
  readonly others?: (site: Site) => Promise<Answer>
}

export interface Site {
  readonly origin: string
  readonly ask: Ask
  /** A published connector. */
  readonly connector: string
  /** A draft whose run does not end. */
  readonly endless: string
}

const ONE = '203.0.113.66'
function network(n: number): string {
  return `2001:db8:${(n % 4) + 1}:7::1`
}

export const ATTACKS: readonly Attack[] = [
  {
    title: 'four endless simulations at a time, from four networks',
    before: 'small runs 17.3 s',
    run: ({ ask, endless }, signal) =>
      flood(4, signal, (n) =>
        ask(
          {
            from: network(n),
            method: 'POST',
            path: '/chain/simulate',
            json: { connector_name: endless, particles_count: 3 },
          },
          signal,
        ),
      ),
  },
  {
    title: 'costly bodies for the compiler, without an account',
    before: 'drafts 56 s',
    run: ({ ask }, signal) => {
      const loops = 'for { } lt(x, 9) { } {'.repeat(11)
      let count = 0
      return flood(4, signal, (n) =>
        ask(
          {
            from: network(n),
            method: 'POST',
            path: '/studio/api/compile',
            json: {
              kind: 'transformation',
              sol_src: `assembly { ${loops} x := add(x, ${++count}) ${'}'.repeat(11)} } return x${'+1'.repeat(3_000)};`,
            },
          },
          signal,
        ),
      )
    },
  },
  {
    title: 'pages of runs at other blocks, 16 at a time',
    before: 'create, publish and execute 503',
    run: ({ ask, connector }, signal) => {
      let block = 0
      return flood(16, signal, () =>
        ask({ from: ONE, path: `/connectors/${connector}?count=64&block=${(block++ % 30) + 1}` }, signal),
      )
    },
  },
  {
    title: 'twelve unfinished uploads, from four networks',
    before: 'every POST 503',
    run: async ({ origin }, signal) => {
      const sockets = Array.from({ length: 12 }, (_, n) => {
        const socket = dial(origin)
        const head = ['POST /services/worlds/validate HTTP/1.1', 'Host: x', `X-Forwarded-For: ${network(n)}`]
        const type = 'Content-Type: multipart/form-data; boundary=x'
        socket.write([...head, type, `Content-Length: ${25 * 1024 * 1024}`, '', ''].join('\r\n'))
        socket.write('--x\r\nContent-Disposition: form-data; name="bundle"; filename="a.zip"\r\n\r\n')
        return socket
      })
      const part = Buffer.alloc(96 * 1024)
      while (!signal.aborted) {
        for (const socket of sockets) if (socket.bytesWritten < 20 * 1024 * 1024) socket.write(part)
        await sleep(500)
      }
      for (const socket of sockets) socket.destroy()
    },
  },
  {
    title: '256 large runs on chain at a time, from four networks',
    before: 'both APIs 503',
    run: ({ ask, connector }, signal) =>
      flood(256, signal, (n) =>
        ask(
          {
            from: network(n),
            method: 'POST',
            path: '/chain/execute',
            json: { connector_name: connector, particles_count: 65_536 },
          },
          signal,
        ),
      ),
  },
  {
    title: '400 slow bodies from one address',
    before: 'no client is served',
    run: async ({ origin }, signal) => {
      const head = `POST /chain/simulate HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${ONE}\r\n`
      const sockets = Array.from({ length: 400 }, () => {
        const socket = dial(origin)
        socket.write(`${head}Content-Type: application/json\r\nContent-Length: 200\r\n\r\n{`)
        return socket
      })
      while (!signal.aborted) {
        for (const socket of sockets) if (!socket.destroyed) socket.write(' ')
        await sleep(200)
      }
      for (const socket of sockets) socket.destroy()
    },
  },
  {
    title: '64 pages at a time',
    before: 'pages 5.5 s, reads 0.5 s, /healthz 3.1 s',
    run: ({ ask }, signal) => flood(64, signal, () => ask({ from: ONE, path: '/' }, signal)),
  },
  {
    title: '64 pages at a time whose readers do not read, each from an address of its own',
    run: async ({ origin, connector }, signal) => {
      await flood(64, signal, async () => {
        const socket = dial(origin).pause()
        socket.write(
          `GET /connectors/${connector} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${newAddress()}\r\n\r\n`,
        )
        await sleep(3_000, undefined, { signal }).catch(() => undefined)
        socket.destroy()
      })
    },
  },
  {
    title: 'bundles with one tag of 200,000 attributes, without an account',
    before: 'validations 19.6 s',
    run: async ({ ask }, signal) => {
      const attributes = Array.from({ length: 200_000 }, (_, n) => `a${n}`).join(' ')
      const form = await formOf([{ name: 'index.html', content: `<!doctype html><p ${attributes}>` }])
      return flood(4, signal, () =>
        ask({ from: ONE, method: 'POST', path: '/services/worlds/validate', form }, signal),
      )
    },
  },
  {
    title: 'previews of bundles of 1 MiB, 8 at a time',
    before: 'previews closed for all visitors',
    run: async ({ ask }, signal) => {
      const form = await formOf([{ name: 'large.bin', content: Buffer.alloc(1024 * 1024, 7), stored: true }])
      return flood(8, signal, () =>
        ask({ from: ONE, method: 'POST', path: '/studio/api/world-previews', form }, signal),
      )
    },
    others: async ({ ask }) => {
      const form = await formOf([{ name: 'small.txt', content: 'x' }])
      return ask({ from: newAddress(), method: 'POST', path: '/studio/api/world-previews', form })
    },
  },
  {
    title: 'reports, 8 at a time, from four networks',
    before: 'no visitor can report that day',
    run: (site, signal) => flood(8, signal, (n) => sendReport(site, network(n), signal)),
    others: (site) => sendReport(site, newAddress()),
  },
  {
    title: '64 searches at a time',
    run: ({ ask }, signal) => {
      let count = 0
      return flood(64, signal, () => ask({ from: ONE, path: `/search?q=qwzx${count++}` }, signal))
    },
    others: ({ ask, connector }) => ask({ from: newAddress(), path: `/search?q=${connector}` }),
  },
  {
    title: '64 reads of the longest list at a time',
    run: ({ ask }, signal) =>
      flood(64, signal, () => ask({ from: ONE, path: '/chain/feed?limit=256' }, signal)),
  },
  {
    title: 'streams of the feed, 300 at a time, of which none is read',
    run: async ({ origin }, signal) => {
      const sockets = Array.from({ length: 300 }, () => {
        const socket = dial(origin).pause()
        socket.write(
          `GET /chain/feed/stream?limit=256 HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${ONE}\r\n\r\n`,
        )
        return socket
      })
      await sleep(600_000, undefined, { signal }).catch(() => undefined)
      for (const socket of sockets) socket.destroy()
    },
  },
  {
    title: 'pictures of runs that are in no cache, 32 at a time',
    run: ({ ask, connector }, signal) => {
      let count = 0
      return flood(32, signal, () =>
        ask({ from: ONE, path: `/run/${connector}/image?count=${(count++ % 4_000) + 1}` }, signal),
      )
    },
    others: ({ ask, connector }) =>
      ask({ from: newAddress(), path: `/run/${connector}/image?count=${randomInt(5_000, 60_000)}` }),
  },
  {
    title: 'certificates, 16 at a time',
    run: ({ ask, connector }, signal) => {
      let count = 0
      return flood(16, signal, () =>
        ask({ from: ONE, path: `/run/${connector}/certificate?count=${(count++ % 4_000) + 1}` }, signal),
      )
    },
  },
]

function sendReport({ ask, connector }: Site, from: string, signal?: AbortSignal): Promise<Answer> {
  const json = { kind: 'connector', name: connector, reason: 'broken', words: '' }
  return ask({ from, method: 'POST', path: '/studio/api/reports', json }, signal)
}

function formOf(parts: Parameters<typeof makeBundle>[1]) {
  return bundleForm(makeBundle({ slug: 'fairness' }, parts))
}
