import { setTimeout as sleep } from 'node:timers/promises'
import { HttpRequestError } from 'viem'
import type { ChainNode } from './node.ts'

/** A longer pause is not waited for. */
const MAX_PAUSE_MS = 5_000

/** The client library would wait for as long as the header says; `waitForPause` does so within limits. */
export function withoutRetryAfter(error: unknown): unknown {
  if (error instanceof Error && 'headers' in error) error.headers = undefined
  return error
}

/** Waits for the node whose pause ends first. @throws HttpRequestError when that takes too long. */
export async function waitForPause(nodes: readonly ChainNode[]): Promise<ChainNode> {
  const first = nodes.toSorted((a, b) => a.health.restMs() - b.health.restMs())[0] as ChainNode
  const ms = first.health.restMs()
  if (ms <= MAX_PAUSE_MS) {
    await sleep(ms)
    return first
  }
  const seconds = Math.ceil(ms / 1000)
  const words = first.health.trouble?.words ?? 'too many requests'
  throw new HttpRequestError({
    body: {},
    details: `${words}; it is asked again in ${seconds} s`,
    status: 429,
    url: 'node',
  })
}
