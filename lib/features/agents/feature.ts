import type { Feature } from '../feature.ts'
import { deleteAgent, postAgentAnswer } from './operations.ts'

export const agents: Feature = { name: 'agents', operations: [deleteAgent, postAgentAnswer] }
