import { existsSync, renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { type Child, startChild, whenReady } from './child.ts'
import { readJson, writeWhole } from './files.ts'

export interface AnvilOptions {
  readonly port: number
  /** Address to listen on; 127.0.0.1 by default. */
  readonly host?: string
  readonly chainId?: number
  /** State to begin with; a new chain without it. */
  readonly loadState?: string
  /** `safe` is one epoch behind the head, `finalized` two; 2 by default. */
  readonly slotsInAnEpoch?: number
  readonly onLine?: (line: string) => void
}

/** A development chain of our own, with anvil's well-known accounts. */
export interface AnvilNode {
  readonly child: Child
  readonly url: string
  stop(): Promise<void>
}

const DEV_CHAIN_ID = 31_337
const START_TIMEOUT_MS = 60_000

/**
 * Blocks at most this big: 65,536 particles of a deep connector in one call cost far more than a public chain's
 * block holds, and a development chain need not care.
 */
const GAS_LIMIT = 30_000_000_000

/** @throws Error with anvil's own last words when it does not come up. */
export async function startAnvil(options: AnvilOptions): Promise<AnvilNode> {
  const { host = '127.0.0.1', port } = options
  const child = await startChild(
    binary(),
    [
      ...['--host', host, '--port', String(port)],
      ...['--chain-id', String(options.chainId ?? DEV_CHAIN_ID)],
      ...['--gas-limit', String(GAS_LIMIT)],
      // Makes latest, safe and finalized three different heights, two blocks apart.
      ...['--slots-in-an-epoch', String(options.slotsInAnEpoch ?? 2)],
      ...['--mnemonic', 'test test test test test test test test test test test junk'],
      ...(options.loadState ? ['--load-state', options.loadState] : []),
      '--quiet',
    ],
    { name: 'chain', ...(options.onLine && { onLine: options.onLine }) },
  )
  const url = `http://${host}:${port}`
  const ready = { subject: 'The development chain', deadline: Date.now() + START_TIMEOUT_MS, intervalMs: 25 }
  try {
    await whenReady(child, ready, () => rpc(url, 'eth_chainId'))
  } catch (error) {
    await child.stop()
    throw error
  }
  return { child, url, stop: () => child.stop('SIGTERM', 2000) }
}

/** One JSON-RPC call. @throws Error when the node does not answer or answers with an error. */
export async function rpc(
  url: string,
  method: string,
  params: readonly unknown[] = [],
  timeoutMs = 10_000,
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const answer = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result
}

/** The npm package starts anvil through a second Node; the program itself stops cleaner. */
function binary(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  try {
    const folder = dirname(require.resolve(`${name}/package.json`))
    return join(folder, 'bin', 'anvil')
  } catch (cause) {
    throw new Error(
      `There is no built-in development chain for this machine (npm package ${name}). Set CHAIN_RPC_URL to a running one.`,
      { cause },
    )
  }
}

const POLL_MS = 250

/** Stores the development chain's state on disk atomically. Anvil's own dump can be truncated by a crash. */
export interface ChainState {
  /** The newest usable state file, or undefined for a new chain. */
  load(): string | undefined
  /** Writes the state if the chain moved since the last time. */
  save(rpcUrl: string): Promise<void>
  /** Saves soon after every block until the returned function is called. */
  follow(rpcUrl: string): () => void
}

export function openChainState(folder: string): ChainState {
  const current = join(folder, 'state.json')
  const previous = join(folder, 'state.previous.json')
  let savedHead: string | undefined
  let saving: Promise<void> = Promise.resolve()

  const saveNow = async (rpcUrl: string): Promise<void> => {
    const block = (await rpc(rpcUrl, 'eth_getBlockByNumber', ['latest', false])) as { hash: string }
    if (block.hash === savedHead) return
    const dump = (await rpc(rpcUrl, 'anvil_dumpState', [], 30_000)) as string
    if (existsSync(current)) renameSync(current, previous)
    writeWhole(current, gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString('utf8'))
    savedHead = block.hash
  }

  // One at a time: two dumps would write over each other.
  const save = (rpcUrl: string): Promise<void> => {
    const mine = saving.catch(() => {}).then(() => saveNow(rpcUrl))
    saving = mine
    return mine
  }

  return {
    load() {
      savedHead = undefined
      for (const file of [current, previous]) {
        if (!existsSync(file)) continue
        if (typeof readJson(file) === 'object') return file
        renameSync(file, `${file}.broken`)
      }
      return undefined
    },
    save,
    follow(rpcUrl) {
      let running = true
      void (async () => {
        while (running) {
          await sleep(POLL_MS, undefined, { ref: false })
          // A chain that is down is the supervisor's business.
          if (running) await save(rpcUrl).catch(() => {})
        }
      })()
      return () => {
        running = false
      }
    },
  }
}
