import type { ReactNode } from 'react'
import { getServices } from '#lib/server/services.ts'
import { assistantSettings } from '../settings.ts'
import { AssistantEndpoints } from '../ui/entry.tsx'

/** Offers the assistant in a page of the studio; with an invalid configuration, none. */
export async function AssistantOffer({ children }: { children: ReactNode }) {
  const endpoints = await getServices().then(
    ({ config }) => assistantSettings.of(config).endpoints,
    () => [],
  )
  return <AssistantEndpoints endpoints={endpoints}>{children}</AssistantEndpoints>
}
