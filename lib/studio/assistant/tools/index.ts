import { ASKING } from './asking.ts'
import { EDITORS } from './editors.ts'
import { READERS } from './readers.ts'
import type { Tool } from './tool.ts'

/** Everything that a model can do in the studio. */
export const TOOLS: readonly Tool[] = [...READERS, ...EDITORS, ...ASKING]
