/* The section of the status page, which reads its answers again as the page does. */

import { createElement as h, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { SourcifyState } from '#lib/features/verifier/contract-verification.ts'
import { siteSession } from '#lib/ui/wallet/session/browser-store.ts'
import { ContractVerification } from '../../../app/(site)/status/contract-verification.tsx'

function Page() {
  const [sourcify, setSourcify] = useState<SourcifyState>()
  useEffect(() => {
    const read = async () => setSourcify(await (await fetch('/sourcify')).json())
    void read()
    const timer = setInterval(() => void read(), 500)
    return () => clearInterval(timer)
  }, [])
  return sourcify === undefined
    ? null
    : h('main', { 'data-read': true }, h('h1', null, 'Status'), h(ContractVerification, { sourcify }))
}

void siteSession.refresh()
createRoot(document.getElementById('root') as HTMLElement).render(h(Page))
