import { fork } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  createReadStream,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesOf, type Outputs, type PlatformFunction } from './outputs.ts'

// Node sees no names in the one file it is bundled into.
const { resolveRoutes, responseToMiddlewareResult } = createRequire(import.meta.url)(
  '@next/routing',
) as typeof import('@next/routing')

const LAUNCHER = fileURLToPath(new URL('launcher.ts', import.meta.url))

/** What a platform serves of a build: each path by a separate function in a separate folder. */
export interface Platform {
  readonly origin: string
  /** Paths of the functions that were started. */
  started(): readonly string[]
  close(): Promise<void>
}

/** Requests with more than this do not come through to a function. */
const MAX_BODY_BYTES = 4.5 * 1024 * 1024

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/** @param environment The environment of functions, by their origin. */
export async function startPlatform(
  outputs: Outputs,
  environment: (origin: string) => NodeJS.ProcessEnv,
): Promise<Platform> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-platform-'))
  const running = new Map<PlatformFunction, Promise<RunningFunction>>()
  const functions = new Map(outputs.functions.map((each) => [each.pathname, each]))
  const files = new Map(outputs.staticFiles.map(({ pathname, filePath }) => [pathname, filePath]))
  const pathnames = [...functions.keys(), ...files.keys()]

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent) response.writeHead(502)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`

  function portOf(pathname: string): Promise<number> {
    const found = functions.get(pathname)
    if (found === undefined) throw new Error(`No function answers ${pathname}`)
    let started = running.get(found)
    if (started === undefined) {
      const own = mkdtempSync(join(folder, 'function-'))
      started = startFunction(outputs, found, own, environment(origin))
      running.set(found, started)
    }
    return started.then(({ port }) => port)
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
      request.resume()
      response.writeHead(413).end('FUNCTION_PAYLOAD_TOO_LARGE')
      return
    }
    const url = new URL(request.url ?? '/', origin)
    let headers = headersOf(request)
    const found = await resolveRoutes({
      url,
      headers: new Headers(headers),
      requestBody: new ReadableStream(),
      buildId: outputs.buildId,
      basePath: '',
      pathnames,
      routes: outputs.routes,
      invokeMiddleware: async (asked) => {
        const answered = await fetch(
          `http://127.0.0.1:${await portOf('/_middleware')}${url.pathname}${url.search}`,
          {
            headers: asked.headers,
            redirect: 'manual',
          },
        )
        const result = responseToMiddlewareResult(answered, new Headers(asked.headers), url)
        headers = result.requestHeaders ?? headers
        return result
      },
    })
    for (const [name, value] of found.resolvedHeaders ?? []) response.appendHeader(name, value)
    if (found.redirect) {
      response.writeHead(found.redirect.status, { location: found.redirect.url.href }).end()
      return
    }
    const { resolvedPathname = '/_not-found', invocationTarget: target } = found
    const file = files.get(resolvedPathname)
    if (file !== undefined) {
      response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream')
      createReadStream(file).pipe(response)
      return
    }
    if (resolvedPathname === '/_not-found') response.statusCode = 404
    // Rewritten ones are called by the address they were led to.
    const rewritten = target !== undefined && target.pathname !== url.pathname
    const path = rewritten ? target.pathname + url.search : (request.url ?? '/')
    return toFunction(await portOf(resolvedPathname), path, headers, request, response)
  }

  return {
    origin,
    started: () => [...running.keys()].map(({ pathname }) => pathname),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await Promise.allSettled([...running.values()].map(async (each) => (await each).stop()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Headers of a request as functions see it: the platform sets the client address. */
function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    if (/^x-(?:forwarded-|middleware-|vercel-)/.test(name)) continue
    for (const each of values ?? []) headers.append(name, each)
  }
  headers.set('x-forwarded-for', request.socket.remoteAddress ?? '')
  headers.set('x-forwarded-proto', 'http')
  return headers
}

function toFunction(
  port: number,
  path: string,
  headers: Headers,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const passed = forward({
      port,
      path,
      host: '127.0.0.1',
      method: request.method ?? 'GET',
      headers: [...headers].flat(),
    })
    passed.once('response', (answered) => {
      const { statusCode = 502, rawHeaders } = answered
      if (response.statusCode !== 404) response.statusCode = statusCode
      for (let i = 0; i < rawHeaders.length; i += 2) {
        const [name = '', value = ''] = rawHeaders.slice(i, i + 2)
        if (!/^(?:connection|keep-alive|transfer-encoding)$/i.test(name)) response.appendHeader(name, value)
      }
      answered.pipe(response)
      answered.once('error', reject)
      response.once('close', resolve)
    })
    // The client disconnected.
    passed.once('error', (error) => (response.destroyed ? resolve() : reject(error)))
    response.once('close', () => passed.destroy())
    request.pipe(passed)
  })
}

/** A function that runs. */
interface RunningFunction {
  readonly port: number
  stop(): Promise<void>
}

/**
 * Puts exactly the files of a function into `folder` and starts it there, with no right to read anything else or to
 * write at all: what it lacks, it finds nowhere.
 *
 * @param environment All of its environment.
 * @throws Error when it does not start.
 */
async function startFunction(
  outputs: Outputs,
  called: PlatformFunction,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<RunningFunction> {
  const { pathname } = called
  for (const [path, file] of filesOf(outputs, called)) put(join(outputs.projectDir, file), join(folder, path))
  const entry = relative(outputs.projectDir, called.filePath)
  // Nothing in the folder declares the type of `.ts`.
  const launcher = join(folder, 'launcher.mts')
  copyFileSync(LAUNCHER, launcher)
  const child = fork(launcher, [`./${entry}`, pathname === '/_middleware' ? 'proxy' : 'function'], {
    cwd: folder,
    env: environment,
    execArgv: ['--permission', `--allow-fs-read=${folder}`, '--allow-worker', '--disable-warning=PERM0006'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const port = await Promise.race([
    once(child, 'message').then(([port]) => port as number),
    exited.then(([code]): never => {
      throw new Error(`The function of ${pathname} ended at its start with ${code}`)
    }),
  ])
  return {
    port,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** By a link where one can be made: files of a function are many, and nothing writes to them. */
function put(file: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  try {
    if (lstatSync(file).isSymbolicLink()) symlinkSync(readlinkSync(file), to)
    else linkSync(file, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EXDEV') copyFileSync(file, to)
    else if (code !== 'EEXIST') throw error
  }
}
