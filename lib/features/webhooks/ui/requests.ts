import { ask } from '#lib/browser/requests.ts'
import { ownMessageOr } from '#lib/ui/people/error-messages.ts'
import type {
  CreateWebhookRequest,
  WebhookAnswer,
  WebhookDeliveriesAnswer,
  WebhookDeliveryAnswer,
  WebhookSecretAnswer,
  WebhooksAnswer,
} from '../operations.ts'

/** Requests of the page of webhooks. All throw Refusal or NoAnswer. */
export function webhookRequests(account: string) {
  const base = `/studio/api/webhooks/${account}`
  return {
    list: () => ask('GET', base) as Promise<WebhooksAnswer>,
    create: (input: CreateWebhookRequest) => ask('POST', base, input) as Promise<WebhookSecretAnswer>,
    setState: (id: string, state: 'active' | 'paused') =>
      ask('PATCH', `${base}/${id}`, { state }) as Promise<WebhookAnswer>,
    remove: (id: string) => ask('DELETE', `${base}/${id}`),
    rotate: (id: string) => ask('POST', `${base}/${id}/secret`) as Promise<WebhookSecretAnswer>,
    test: (id: string) => ask('POST', `${base}/${id}/test`) as Promise<WebhookAnswer>,
    replay: (id: string, sinceSeq: number) =>
      ask('POST', `${base}/${id}/replay`, { since_seq: sinceSeq }) as Promise<WebhookAnswer>,
    deliveries: async (id: string): Promise<readonly WebhookDeliveryAnswer[]> =>
      ((await ask('GET', `${base}/${id}/deliveries`)) as WebhookDeliveriesAnswer).deliveries,
  }
}

export type WebhookRequests = ReturnType<typeof webhookRequests>

/** A message that states what failed and what to do. */
export const troubleOf = ownMessageOr(400, 404, 429)
