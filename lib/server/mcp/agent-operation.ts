import type { z } from 'zod'
import type { Operation, ToolFacts } from '../http/operation.ts'

/** Applies an operation on an unsaved document to what is stored. */
export function ofStored(operation: Operation, body: z.ZodObject, tool: ToolFacts): Operation {
  return {
    ...forAgents(operation, tool),
    request: { body },
    handler: (ctx, input) => {
      return operation.handler(ctx, {
        ...input,
        body: { connectors: [], bodies: [], ...(input.body as object) },
      })
    },
  }
}

/** An operation of another API as one of this endpoint: open to all, with failures that have a sentence. */
export function forAgents(operation: Operation, tool: ToolFacts): Operation {
  return { ...operation, api: 'chain', tag: 'core', cors: 'public', errors: 'message', tool }
}

/** Fields of a request that hold an unsaved document. */
export const DOCUMENT = { connectors: true, bodies: true } as const
