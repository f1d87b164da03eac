import { readFileSync, writeFileSync } from 'node:fs'
import { privateKeyToAccount } from 'viem/accounts'
import { isHex, parseEther } from 'viem/utils'
import {
  type AuthorWords,
  createChainClient,
  createServicesClient,
  encodeWords,
  follow,
  orThrow,
  type PublicationWords,
  type Published,
  publish,
  WeftError,
} from '../../lib/client/index.ts'
import { certify } from '../../lib/client/verify.ts'
import { arrange } from '../../lib/engine/sound/arrangement.ts'
import { writeMidi } from '../../lib/engine/sound/midi-file.ts'
import { soundOf } from '../../lib/engine/sound/presented-sound.ts'
import type { ConnectorSound } from '../../lib/engine/sound/settings.ts'
import { contentId } from '../../lib/protocol/content-id.ts'
import { startsWire } from '../../lib/protocol/definition-wire.ts'
import { type Presentation, presentationProblem } from '../../lib/protocol/presentation.ts'
import { csvOf } from '../../lib/ui/studio/results/csv.ts'
import { TrustProblem, trustOf, verifyFiles } from '../weft-verify/verify-files.ts'
import {
  nodesOf,
  type Options,
  oneOf,
  requirePositions,
  siteOf,
  startsOf,
  UsageError,
  whole,
} from './options.ts'

/** Writes one line to the standard output, without what would control a terminal. */
export type Print = (line: string) => void

export interface Command {
  /** Arguments after its name. */
  readonly usage: string
  readonly summary: string
  /** @returns the exit code */
  readonly run: (names: readonly string[], options: Options, print: Print) => Promise<number>
}

const KINDS = ['connector', 'transformation', 'condition'] as const
const MAX_COUNT = 65_536
/** For a site that restarts; one that is gone is reported. */
const PATIENCE_MS = 20_000

export const COMMANDS: Readonly<Record<string, Command>> = {
  simulate: {
    usage: '<connector>',
    summary: 'Run a connector on the server of the site, drafts too',
    run: async (names, options, print) => {
      const { particles } = await particlesOf(one(names, 'connector'), options, false)
      printParticles(particles, options, print)
      return 0
    },
  },
  run: {
    usage: '<connector>',
    summary: 'Run a published connector on chain',
    run: async (names, options, print) => {
      const answer = await particlesOf(one(names, 'connector'), options, true)
      if (options.json) print(JSON.stringify(answer))
      else {
        printParticles(answer.particles, options, print)
        print(`block ${answer.block_number} ${answer.block_hash}, runner ${answer.runner}`)
      }
      return 0
    },
  },
  export: {
    usage: '<connector> --as csv|json|midi --out <file>',
    summary: 'Write a run to a file; with --chain the run is made on chain',
    run: async (names, options, print) => {
      const connector = one(names, 'connector')
      const as = oneOf(options.as ?? '', ['csv', 'json', 'midi'], '--as')
      const { out } = options
      if (out === undefined) throw new UsageError('Name the file to write: --out <file>')
      const answer = await particlesOf(connector, options, options.chain)
      const sound = as === 'midi' ? await soundOfPiece(connector, options) : {}
      write(out, fileOf(as, connector, answer, sound))
      print(`${out}: ${answer.particles.length} paths of ${options.count} particles as ${as}`)
      return 0
    },
  },
  publish: {
    usage: '<name> [--kind connector|transformation|condition] [--title <title>] [--present <file>]',
    summary: 'Publish a draft of yours, and before it what it needs; the key is in PRIVATE_KEY or --key-file',
    run: async (names, options, print) => {
      const entity = {
        kind: oneOf(options.kind ?? 'connector', KINDS, '--kind'),
        name: one(names, 'name'),
      }
      const maxCost = /^\d+(\.\d{1,18})?$/.test(options['max-cost']) && parseEther(options['max-cost'])
      if (maxCost === false) throw new UsageError('--max-cost must be an amount of the currency, like 0.05')
      const line = ({ kind, name, address, block }: Published) =>
        `${kind} ${name} ${address}${block === undefined ? ', published before' : `, block ${block}`}`
      const words = wordsOf(options)
      if (words !== undefined && entity.kind !== 'connector') {
        throw new UsageError('--title and --present are for connectors: others have neither')
      }
      const published = await publish(chainOf(options), accountOf(options), entity, {
        maxCost,
        ...(words && { words }),
        onPublished: (each) => options.json || print(line(each)),
      })
      if (options.json) print(JSON.stringify(published))
      return 0
    },
  },
  follow: {
    usage: '[--since <number>] [--kind …] [--owner …] [--format …] [--name …]',
    summary: 'Print what is published, from a position on, until you stop it or after --limit changes',
    run: async (names, options, print) => {
      if (names.length > 0) throw new UsageError(`follow takes options only, not "${names[0]}"`)
      const { kind, owner, format, name } = options
      const limit =
        options.limit === undefined ? Infinity : whole(options.limit, '--limit', Number.MAX_SAFE_INTEGER)
      const changes = follow(chainOf(options), {
        patienceMs: PATIENCE_MS,
        sinceSeq: whole(options.since, '--since', Number.MAX_SAFE_INTEGER),
        ...(kind !== undefined && { kind: oneOf(kind, KINDS, '--kind') }),
        ...(owner !== undefined && { owner }),
        ...(format !== undefined && { format }),
        ...(name !== undefined && { name }),
      })
      let printed = 0
      if (limit > 0) {
        for await (const change of changes) {
          const { stream_seq, status, payload } = change
          print(
            options.json
              ? JSON.stringify(change)
              : `${stream_seq} ${status} ${payload.type} ${payload.name} by ${payload.owner}`,
          )
          if (++printed >= limit) break
        }
      }
      return 0
    },
  },
  piece: {
    usage: '<connector> [--out <file>]',
    summary: 'Save a published piece as one HTML file that plays without any site, and print its content id',
    run: async (names, options, print) => {
      const connector = one(names, 'connector')
      const file = options.out ?? `${connector.replaceAll(/\W/g, '_')}.html`
      const bytes = await pieceOf(siteOf(options), connector)
      const id = contentId(bytes)
      write(file, bytes)
      print(
        options.json
          ? JSON.stringify({ file, bytes: bytes.length, id })
          : `${file}: ${bytes.length} bytes, ${id}`,
      )
      return 0
    },
  },
  certify: {
    usage: '<connector> --node <url> [--out <file>]',
    summary: 'Prove a run by nodes that you choose, and write its certificate',
    run: async (names, options, print) => {
      const connector = one(names, 'connector')
      const run = { connector, count: countOf(options), starts: startsOf(options) }
      // Checks the positions of the starts before anything is proven.
      if (run.starts.length > 0) await particlesOf(connector, { ...options, count: '1' }, true)
      const text = await certify(chainOf(options), run, nodesOf(options))
      const file = options.out ?? `${connector}.weft.json`
      write(file, text)
      return verifyFiles([file], { nodes: nodesOf(options) }, options.json, print)
    },
  },
  verify: {
    usage: '<file.weft.json>… [--block <hash>] [--node <url>]',
    summary: 'Check certificates of runs; proven only by a block or a node that you trust',
    run: async (names, options, print) => {
      if (names.length === 0)
        throw new UsageError('Name the certificates to check: weft verify name.weft.json')
      return verifyFiles(names, trusted(options), options.json, print)
    },
  },
}

interface Particles {
  readonly particles: readonly { readonly path: string; readonly data: readonly number[] }[]
}
type OnChain = Particles & { block_number?: number; block_hash?: string; runner?: string }

async function particlesOf(connector: string, options: Options, onChain: boolean): Promise<OnChain> {
  const starts = startsOf(options)
  const body = {
    connector_name: connector,
    particles_count: countOf(options),
    ...(starts.length > 0 && { dynamic_ri: startsWire(starts) }),
  }
  const chain = chainOf(options)
  const answer: OnChain = onChain
    ? await orThrow(chain.POST('/execute', { body }))
    : { particles: await orThrow(chain.POST('/simulate', { body })) }
  requirePositions(connector, starts, answer.particles)
  return answer
}

/** The file of a piece, whose content id is the one that the site named. */
async function pieceOf(site: string, connector: string): Promise<Uint8Array> {
  const response = await fetch(`${site}/connectors/${encodeURIComponent(connector)}/piece.html`)
  if (!response.ok)
    throw new Error(`${(await response.text()).trim().slice(0, 500)} (status ${response.status})`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const [, id] = /"(\w+)"/.exec(response.headers.get('etag') ?? '') ?? []
  if (id !== contentId(bytes)) throw new Error(`${site} sent something else than the file of a piece`)
  return bytes
}

function printParticles(particles: Particles['particles'], { json }: Options, print: Print): void {
  if (json) print(JSON.stringify(particles))
  else for (const { path, data } of particles) print(`${path} ${data.join(' ')}`)
}

function fileOf(
  as: 'csv' | 'json' | 'midi',
  connector: string,
  answer: OnChain,
  sound: ConnectorSound,
): string | Uint8Array {
  if (as === 'csv') return csvOf(answer.particles).join('')
  if (as === 'midi') return writeMidi(arrange(answer.particles, sound))
  return `${JSON.stringify({ connector_name: connector, ...answer })}\n`
}

/** Sound of a piece as its site shows it, empty for a part of others; what is not set is guessed from the values. */
async function soundOfPiece(name: string, options: Options): Promise<ConnectorSound> {
  const services = createServicesClient(`${siteOf(options)}/services`)
  try {
    const { present } = await orThrow(
      services.GET('/pieces/{name}/presentation', { params: { path: { name } } }),
    )
    return isPresentation(present) ? soundOf(present) : {}
  } catch (error) {
    if (error instanceof WeftError && error.status === 404) return {}
    throw error
  }
}

function isPresentation(value: unknown): value is Presentation {
  return presentationProblem(value) === undefined
}

function trusted({ block, node }: Options): ReturnType<typeof trustOf> {
  try {
    return trustOf(block, node)
  } catch (error) {
    throw error instanceof TrustProblem ? new UsageError(error.message) : error
  }
}

/** @throws UsageError for words that break a rule of their format. */
function wordsOf(options: Options): PublicationWords | undefined {
  const { title, present: file } = options
  if (title === undefined && file === undefined) return undefined
  const content: AuthorWords = {
    ...(title !== undefined && { title }),
    ...(file !== undefined && { present: presentationOf(file) }),
  }
  try {
    encodeWords(content)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
  const site = siteOf(options)
  const services = createServicesClient(`${site}/services`)
  return { content, services, origin: new URL(site).origin }
}

function presentationOf(file: string): Presentation {
  try {
    return JSON.parse(read(file)) as Presentation
  } catch (error) {
    throw error instanceof SyntaxError ? new UsageError(`${file} is no JSON: ${error.message}`) : error
  }
}

function chainOf(options: Options) {
  const site = siteOf(options)
  return createChainClient(`${site}/chain`, { fetch: (request) => fetchFromWeft(site, request) })
}

/** Reports what answers in place of the API: a page, a node, a proxy. @throws UsageError */
async function fetchFromWeft(site: string, request: Request): Promise<Response> {
  const response = await fetch(request)
  // Every response of the API has one.
  if (response.headers.has('x-request-id')) return response
  await response.body?.cancel()
  const { status, headers } = response
  const answer = `${status}, ${headers.get('content-type') ?? 'without a type'}`
  if (status >= 500) throw new TypeError('fetch failed', { cause: new Error(`something answers ${answer}`) })
  throw new UsageError(
    `${site} is not the address of a Weft site: it answers ${request.method} ${new URL(request.url).pathname} with ${answer}. ` +
      'Name scheme, host and port of the site by --site or WEFT',
  )
}

function countOf({ count }: Options): number {
  return whole(count, '--count', MAX_COUNT)
}

/** The key comes from the environment or a file: arguments are visible to every program of the machine. */
function accountOf({ 'key-file': file }: Options) {
  const text = (file === undefined ? (process.env.PRIVATE_KEY ?? '') : read(file)).trim()
  const key = text.startsWith('0x') ? text : `0x${text}`
  if (!isHex(key) || key.length !== 66) {
    throw new UsageError(
      `${file ?? 'PRIVATE_KEY'} must hold a private key, 64 hexadecimal digits: set PRIVATE_KEY, or name a file by --key-file`,
    )
  }
  return privateKeyToAccount(key)
}

function one(names: readonly string[], what: string): string {
  const [name, ...rest] = names
  if (name === undefined || rest.length > 0) throw new UsageError(`Name one ${what}`)
  return name
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

function write(file: string, content: string | Uint8Array): void {
  try {
    writeFileSync(file, content)
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${error instanceof Error ? error.message : error}`)
  }
}
