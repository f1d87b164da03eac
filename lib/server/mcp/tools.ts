import { features } from '#lib/features/index.ts'
import type { Operation, ToolFacts } from '../http/operation.ts'
import { chainOperations } from '../operations/chain/index.ts'
import { shownOperations } from './shown-operations.ts'

/** An operation of the chain API under the name that agents call it by. */
export interface Tool extends ToolFacts {
  readonly operation: Operation
}

/** Every operation that states a tool: of the chain API, of this endpoint alone, and of the features. */
export const TOOLS: readonly Tool[] = [
  ...chainOperations,
  ...shownOperations,
  ...features.flatMap(({ operations = [] }) => operations),
].flatMap((operation) => (operation.tool === undefined ? [] : [{ ...operation.tool, operation }]))
