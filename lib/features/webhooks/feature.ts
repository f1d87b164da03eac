import { eq } from 'drizzle-orm'
import type { Feature } from '../feature.ts'
import { deliverDue, deliverWebhooks } from './deliver.ts'
import {
  deleteWebhook,
  getWebhookDeliveries,
  getWebhooks,
  patchWebhook,
  postWebhook,
  postWebhookReplay,
  postWebhookSecret,
  postWebhookTest,
} from './operations.ts'
import { webhookDeliveries, webhookEndpoints } from './schema.ts'

export const webhooks: Feature = {
  name: 'webhooks',
  operations: [
    getWebhooks,
    postWebhook,
    patchWebhook,
    deleteWebhook,
    postWebhookSecret,
    postWebhookTest,
    postWebhookReplay,
    getWebhookDeliveries,
  ].flatMap(({ studio, services }) => [studio, services]),
  jobs: [
    {
      name: 'webhooks',
      run: deliverWebhooks,
      runDue: deliverDue,
      backlog: {
        name: 'webhooks',
        count: async ({ sql }) => {
          const [row] = await sql<{ due: number }[]>`
            select count(*)::int as due from webhook_endpoints w join worker_state s on w.position < s.last_stream_seq
            where w.state = 'active' and w.due_at <= now()`
          return row?.due ?? 0
        },
      },
    },
  ],
  tables: [webhookEndpoints, webhookDeliveries],
  deleteRows: async (tx, account) => {
    await tx.delete(webhookEndpoints).where(eq(webhookEndpoints.owner, account))
  },
}
