import { eq } from 'drizzle-orm'
import type { Feature } from '../feature.ts'
import { deleteAgent, postAgentAnswer } from './operations.ts'
import { agentGrants } from './schema.ts'

export const agents: Feature = {
  name: 'agents',
  operations: [deleteAgent, postAgentAnswer],
  tables: [agentGrants],
  deleteRows: async (tx, account) => {
    await tx.delete(agentGrants).where(eq(agentGrants.address, account))
  },
}
