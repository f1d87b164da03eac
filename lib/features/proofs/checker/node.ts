/** A JSON-RPC call. @throws NodeRefused, NodeSilent */
export type AskNode = (method: string, params: readonly unknown[]) => Promise<unknown>

/** The node returned an error. */
export class NodeRefused extends Error {
  override readonly name = 'NodeRefused'
  readonly code: number
  /** The revert data, when the node returns it. */
  readonly data: `0x${string}` | undefined

  constructor(code: number, message: string, data: `0x${string}` | undefined) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** No valid response. */
export class NodeSilent extends Error {
  override readonly name = 'NodeSilent'
}

const TIMEOUT_MS = 60_000

/** A node at a URL. */
export function nodeAt(url: string): AskNode {
  let id = 0
  // The rest of the address may hold a key.
  const { host } = new URL(url)
  return async (method, params) => {
    let answer: { result?: unknown; error?: unknown }
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      answer = (await response.json()) as typeof answer
    } catch (cause) {
      throw new NodeSilent(`the node ${host} does not answer`, { cause })
    }
    if (answer?.error) throw refused(answer.error)
    if (answer === null || typeof answer !== 'object' || !('result' in answer)) {
      throw new NodeSilent(`the node ${host} answers what is no JSON-RPC`)
    }
    return answer.result
  }
}

/** The part of EIP-1193 for calls. */
export interface Provider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

/** The node of a wallet. Reads need no confirmation. */
export function nodeOf(provider: Provider): AskNode {
  return async (method, params) => {
    try {
      return await provider.request({ method, params })
    } catch (error) {
      throw refused(error)
    }
  }
}

function refused(error: unknown): NodeRefused {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return new NodeRefused(
    typeof code === 'number' ? code : 0,
    typeof message === 'string' ? message : 'an error without words',
    hexIn(error, 0),
  )
}

/** Nodes and wallets nest revert data differently: `data`, `data.data`, `data.originalError.data`. */
function hexIn(value: unknown, depth: number): `0x${string}` | undefined {
  if (typeof value === 'string') {
    return /^0x([0-9a-fA-F]{2})*$/.test(value) ? (value.toLowerCase() as `0x${string}`) : undefined
  }
  if (depth > 3 || typeof value !== 'object' || value === null) return undefined
  for (const key of ['data', 'originalError', 'error']) {
    const nested = hexIn((value as Record<string, unknown>)[key], depth + 1)
    if (nested !== undefined) return nested
  }
  return undefined
}
