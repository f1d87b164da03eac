import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, startChild } from './child.ts'

export interface AnvilOptions {
  readonly port: number
  /** Address to listen on; 127.0.0.1 unless said. */
  readonly host?: string
  readonly chainId?: number
  /** State to begin with; a new chain without it. */
  readonly loadState?: string
  /** `safe` is one epoch behind the head, `finalized` two; 2 unless said. */
  readonly slotsInAnEpoch?: number
  readonly onLine?: (line: string) => void
}

/** A development chain of our own, with anvil's well-known accounts. */
export interface AnvilNode {
  readonly child: Child
  readonly url: string
  stop(): Promise<void>
}

export const DEV_CHAIN_ID = 31_337

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
  let ended = false
  void child.exited.then(() => {
    ended = true
  })
  const giveUp = Date.now() + 20_000
  for (;;) {
    try {
      await rpc(url, 'eth_chainId')
      return { child, url, stop: () => child.stop('SIGTERM', 2000) }
    } catch (cause) {
      if (ended || Date.now() > giveUp) {
        await child.stop()
        throw new Error(`The development chain did not come up:\n${child.tail()}`, { cause })
      }
      await sleep(25)
    }
  }
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
    return join(folder, 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
  } catch (cause) {
    throw new Error(
      `There is no built-in development chain for this machine (npm package ${name}). Set CHAIN_RPC_URL to a running one.`,
      { cause },
    )
  }
}
