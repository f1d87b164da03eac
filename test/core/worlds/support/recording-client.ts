import type { WorldCalls } from '#lib/core/worlds/sdk/protocol.ts'

export interface RecordingClient {
  readonly client: WorldCalls
  /** Method and arguments of every call. */
  readonly calls: [keyof WorldCalls, ...unknown[]][]
}

/** A client that records its calls and returns `answer`. */
export function recordingClient(
  answer: (method: keyof WorldCalls, ...args: readonly unknown[]) => unknown = () => ({}),
): RecordingClient {
  const calls: RecordingClient['calls'] = []
  const client = new Proxy({} as WorldCalls, {
    get:
      (_target, method: keyof WorldCalls) =>
      async (...args: unknown[]) => {
        calls.push([method, ...args])
        return answer(method, ...args)
      },
  })
  return { client, calls }
}
