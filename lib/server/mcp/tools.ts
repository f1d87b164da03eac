import type { Operation, ToolFacts } from '../http/operation.ts'
import { chainOperations } from '../operations/chain/index.ts'
import { searchEverything } from './search-operation.ts'

/** An operation of the chain API under the name that agents call it by. */
export interface Tool extends ToolFacts {
  readonly operation: Operation
}

/** The search, and every operation that states a tool. */
export const TOOLS: readonly Tool[] = [searchEverything, ...chainOperations].flatMap((operation) =>
  operation.tool === undefined ? [] : [{ ...operation.tool, operation }],
)
