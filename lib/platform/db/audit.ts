import type { Orm } from './client.ts'
import { auditLog } from './schema/index.ts'

/** An act of the audit log. */
export interface AuditedAct {
  readonly at: Date
  /** An account, or the user of the machine of an operator. */
  readonly actor: string
  readonly act:
    | 'hide_entity'
    | 'show_entity'
    | 'hide_world'
    | 'show_world'
    | 'suspend_account'
    | 'lift_suspension'
    | 'delete_account'
    | 'delete_world'
    | 'replace_world_of_another'
    | 'sponsor_publication'
  readonly subject: string
  readonly reason?: string
}

/** Adds an act to the audit log, in the transaction that does it. */
export async function recordAct(tx: Pick<Orm, 'insert'>, { reason = '', ...act }: AuditedAct): Promise<void> {
  await tx.insert(auditLog).values({ ...act, reason })
}
