'use client'

import { createContext, type ReactNode, useContext } from 'react'

const Endpoints = createContext<readonly string[]>([])

/** @param endpoints Origins that the studio's page may connect to for its assistant; none where there is no assistant. */
export function AssistantOffer({
  endpoints,
  children,
}: {
  endpoints: readonly string[]
  children: ReactNode
}) {
  return <Endpoints value={endpoints}>{children}</Endpoints>
}

/** Origins of endpoints that this page may connect to; none where the operator offers no assistant. */
export function useAssistantEndpoints(): readonly string[] {
  return useContext(Endpoints)
}
