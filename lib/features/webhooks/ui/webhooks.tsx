'use client'

import { useEffect, useMemo, useState } from 'react'
import { Part } from '#lib/ui/components/part.tsx'
import type { WebhookAnswer, WebhooksAnswer } from '../operations.ts'
import { CreateForm } from './create-form.tsx'
import { type WebhookRequests, webhookRequests } from './requests.ts'
import { WebhookItem } from './webhook-item.tsx'

/** Between looks at what was delivered, while the page is visible. */
const REFRESH_MS = 4_000

interface Props {
  readonly account: string
  readonly saved: WebhooksAnswer
  readonly nowMs: number
}

/** The webhooks of an account, and the form for another. */
export function Webhooks({ account, saved, nowMs }: Props) {
  const requests = useMemo(() => webhookRequests(account), [account])
  const [list, setList] = useState(saved)
  /** The secret just made, by the id of its webhook. */
  const [secret, setSecret] = useState<{ readonly id: string; readonly text: string }>()
  useRefresh(requests, setList)

  const replace = (changed: WebhookAnswer) =>
    setList((before) => ({
      ...before,
      webhooks: before.webhooks.map((each) => (each.id === changed.id ? changed : each)),
    }))
  const full = list.webhooks.length >= list.max_webhooks
  return (
    <div className="space-y-14">
      <Part title="Your webhooks" lead={`${list.webhooks.length} of ${list.max_webhooks}.`}>
        {list.webhooks.length === 0 ? (
          <p className="text-ink-soft text-sm">None yet: add one below.</p>
        ) : (
          <ul>
            {list.webhooks.map((webhook) => (
              <WebhookItem
                key={webhook.id}
                webhook={webhook}
                newest={list.newest_seq}
                nowMs={nowMs}
                requests={requests}
                secret={secret?.id === webhook.id ? secret.text : undefined}
                onChange={replace}
                onSecret={(text) => setSecret({ id: webhook.id, text })}
                onRemove={() =>
                  setList((before) => ({
                    ...before,
                    webhooks: before.webhooks.filter(({ id }) => id !== webhook.id),
                  }))
                }
              />
            ))}
          </ul>
        )}
      </Part>
      <Part title="Add a webhook">
        {full ? (
          <p className="text-sm">You have as many as an account may have. Delete one first.</p>
        ) : (
          <CreateForm
            requests={requests}
            onCreate={({ webhook, secret: text }) => {
              setList((before) => ({ ...before, webhooks: [...before.webhooks, webhook] }))
              setSecret({ id: webhook.id, text })
            }}
          />
        )}
      </Part>
    </div>
  )
}

function useRefresh(requests: WebhookRequests, accept: (list: WebhooksAnswer) => void): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return
      // What is shown stays while the site does not answer.
      requests.list().then(accept, () => undefined)
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [requests, accept])
}
