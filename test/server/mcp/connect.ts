import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { FAILURE_META } from '#lib/server/mcp/tool-result.ts'

/** A result of a tool, as agents see it. */
export interface ToolAnswer {
  readonly failed: boolean
  readonly text: string
  /** The text as JSON; undefined for text that is none. */
  readonly value: unknown
  readonly structured: Readonly<Record<string, unknown>> | undefined
}

export interface Agent {
  readonly client: Client
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>
}

/** The official client, connected. @param mode How it agrees on a revision of the protocol; most speak that of 2025. */
export async function connectAgent(
  url: string,
  options: { fetch?: typeof fetch; token?: string; mode?: 'legacy' | { pin: string } } = {},
): Promise<Agent> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: options.mode ?? 'legacy' } },
  )
  const headers: Record<string, string> =
    options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      ...(options.fetch !== undefined && { fetch: options.fetch }),
    }),
  )
  return {
    client,
    call: async (name, args = {}) => {
      const { content, isError, structuredContent, _meta } = await client.callTool({ name, arguments: args })
      const [first] = content
      const text = first?.type === 'text' ? first.text : ''
      return {
        failed: isError === true,
        text,
        value: parse(text),
        structured: (isError === true
          ? _meta?.[FAILURE_META]
          : structuredContent) as ToolAnswer['structured'],
      }
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
