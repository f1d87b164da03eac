import { createServer, type Server } from 'node:http'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageHeaders } from '#lib/server/page-policy/page-headers.ts'
import { isWorkerScript, WORKER_HEADERS } from '#lib/server/page-policy/worker-csp.ts'
import type { Task, TaskAnswer } from '#lib/studio/runs/engine/messages.ts'
import { testBrowser } from '#test/support/browser.ts'
import { compileOnce } from '#test/support/compiled-bodies.ts'
import { listen, stop } from '#test/support/listen.ts'
import { bundleScript } from '../../ui/studio/bundle.ts'

/* The engine's worker in a real browser, under the policy its script comes with. */

/** Ways to reach the network from a worker; each returns whether it did. */
const ESCAPES = `
  const ways = {
    makes_functions: () => new Function('return 7')() === 7,
    fetches: () => fetch('/leak?fetch').then(() => true),
    asks: () => new Promise((done, fail) => {
      const request = new XMLHttpRequest()
      request.onload = () => done(true)
      request.onerror = fail
      request.open('GET', '/leak?xhr')
      request.send()
    }),
    opens_sockets: () => new Promise((done, fail) => {
      const socket = new WebSocket(location.origin.replace('http', 'ws') + '/leak')
      socket.onopen = () => done(true)
      socket.onerror = fail
    }),
    listens: () => new Promise((done, fail) => {
      const source = new EventSource('/leak?events')
      source.onopen = () => done(true)
      source.onerror = fail
    }),
    loads_scripts: () => importScripts('data:text/javascript,self.loaded=1') ?? self.loaded === 1,
  }
  const tried = Object.entries(ways).map(async ([name, way]) => [name, await Promise.resolve().then(way).catch(() => false)])
  Promise.all(tried).then((results) => postMessage(Object.fromEntries(results)))
`

let server: Server
let origin: string
const browser = testBrowser()
let page: Page
/** Requested paths. */
const asked: string[] = []

beforeAll(async () => {
  const engine = await bundleScript('lib/studio/runs/engine/worker.ts')
  const headers = pageHeaders({
    siteOrigin: 'http://127.0.0.1',
    assetOrigin: undefined,
    walletConnectProjectId: undefined,
    rpcUrl: undefined,
    inlineScripts: [],
  })('/studio')
  server = createServer(({ url = '' }, response) => {
    asked.push(url)
    if (url.endsWith('.js')) {
      response.writeHead(200, { 'content-type': 'text/javascript', ...WORKER_HEADERS })
      return response.end(url === '/engine.js' ? engine : ESCAPES)
    }
    response.writeHead(200, { 'content-type': 'text/html', ...headers })
    return response.end('<!doctype html><html lang="en"><title>Page</title>')
  })
  origin = `http://127.0.0.1:${await listen(server)}`
  page = await browser().newPage()
  await page.goto(origin)
})
afterAll(() => stop(server))

function ask<T>(script: string, message: unknown): Promise<T> {
  return page.evaluate(
    ([url, sent]) =>
      new Promise((resolve, reject) => {
        const worker = new Worker(url as string)
        worker.onmessage = ({ data }) => {
          // Its script is here.
          if (data.id === 0) return
          worker.terminate()
          resolve(data)
        }
        worker.onerror = (event) => reject(new Error(event.message))
        worker.postMessage(sent)
      }),
    [script, message],
  ) as Promise<T>
}

test('it makes particles of bytes', async () => {
  const { argsCount, runtime } = compileOnce('transformation', 'return x + args[0];')
  const task: Task = {
    id: 5,
    artifacts: [],
    names: [],
    bodies: [{ kind: 'transformation', name: 'add', argsCount, runtime }],
    connectors: [
      {
        name: 'Song',
        dimensions: [{ transformations: [{ name: 'add', args: [3] }], composite: '', bindings: {} }],
        condition_name: '',
        condition_args: [],
        static_ri: {},
      },
    ],
    root: 'Song',
    particlesCount: 5,
    dynamicRi: { '1': { start_point: 10, transformation_shift: 0 } },
  }
  const { particles, ...answer } = await ask<Extract<TaskAnswer, { outcome: 'particles' }>>(
    '/engine.js',
    task,
  )
  expect(answer).toEqual({ id: 5, outcome: 'particles' })
  expect(particles.map(({ path, data }) => [path, [...data]])).toEqual([['/Song:0', [10, 13, 16, 19, 22]]])
})

test('what it runs reaches nothing, and its policy is not that of pages', async () => {
  asked.length = 0
  expect(await ask('/escapes.js', null)).toEqual({
    makes_functions: true,
    fetches: false,
    asks: false,
    opens_sockets: false,
    listens: false,
    loads_scripts: false,
  })
  expect(asked).toEqual(['/escapes.js'])
  expect(isWorkerScript('/_next/static/chunks/turbopack-worker-1hrsqshz0gfey.js')).toBe(true)
  for (const path of ['/studio', '/_next/static/chunks/2f67iosabhph_.js', '/turbopack-worker-1.js']) {
    expect(isWorkerScript(path)).toBe(false)
  }
})
