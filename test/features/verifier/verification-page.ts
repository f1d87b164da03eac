/* The section of the status page, which reads its answers again as the page does. */

import { createElement as h, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { VerifierState } from '#lib/features/verifier/contract-verification.ts'
import { siteSession } from '#lib/ui/wallet/session/browser-store.ts'
import { ContractVerification } from '../../../app/(site)/status/contract-verification.tsx'

function Page() {
  const [verifiers, setVerifiers] = useState<readonly VerifierState[]>()
  useEffect(() => {
    const read = async () => setVerifiers(await (await fetch('/verifiers')).json())
    void read()
    const timer = setInterval(() => void read(), 500)
    return () => clearInterval(timer)
  }, [])
  return verifiers === undefined
    ? null
    : h('main', { 'data-read': true }, h('h1', null, 'Status'), h(ContractVerification, { verifiers }))
}

void siteSession.refresh()
createRoot(document.getElementById('root') as HTMLElement).render(h(Page))
