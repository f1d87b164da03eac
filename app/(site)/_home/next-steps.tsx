'use client'

import type { ReactNode } from 'react'
import { Command } from '../../../lib/ui/components/command.tsx'
import { textLink } from '../../../lib/ui/components/link-style.ts'

/** Draft, simulate and publish by the API, with commands to copy. */
export function NextSteps({ origin, connector }: { origin: string; connector: string }) {
  return (
    <ol className="grid gap-x-8 gap-y-10 lg:grid-cols-3">
      <Step number={1} title="Draft">
        <p>
          Sign in with an Ethereum account and post a function body. It is compiled and ready to simulate;
          nothing touches the chain.
        </p>
        <Command>{`POST /chain/transformation
{"name": "twice",
 "sol_src": "return x * 2;"}`}</Command>
      </Step>
      <Step number={2} title="Simulate">
        <p>Drafts and published connectors alike, without an account. Paste this into a terminal:</p>
        <Command>{`curl -s ${origin}/chain/simulate \\
  -H 'content-type: application/json' \\
  -d '{"connector_name":"${connector}",
       "particles_count":8}'`}</Command>
      </Step>
      <Step number={3} title="Publish">
        <p>
          One transaction with your own key, and the name is yours for good. Then execute it on chain and get
          the same numbers. The{' '}
          <a className={textLink} href="/docs/api">
            API reference
          </a>{' '}
          has every call.
        </p>
        <Command>{`POST /chain/publish/connector/prepare
{"name": "${connector}"}`}</Command>
      </Step>
    </ol>
  )
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="flex min-w-0 flex-col gap-3 border-ink border-t-2 pt-3">
      <h3 className="font-semibold text-base">
        <span className="mono mr-2 text-accent">{number}</span>
        {title}
      </h3>
      {children}
    </li>
  )
}
