'use client'

import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import type { Provenance } from '#lib/core/entities/execution/run-on-chain.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { importAgain } from '#lib/ui/kit/missing-chunk.ts'
import type { RunRequest } from '#lib/ui/run/requests.ts'
import { fetchNetwork } from '#lib/ui/wallet/connect/network.ts'
import { type AskNode, NodeSilent, nodeAt, nodeOf } from '../checker/node.ts'
import { Certificate } from './certificate.tsx'
import { useOwnWallet } from './own-wallet.ts'
import type { Expected, Verdict } from './verify-run.ts'

export type { Expected }

type State =
  | { readonly phase: 'idle' }
  | { readonly phase: 'asking'; readonly node: string }
  | { readonly phase: 'done'; readonly node: string; readonly verdict: Verdict }

/**
 * The ways to check a run: its call repeated in the browser, without this site, and its bytes compared; and, of a run that
 * is re-checkable for ever, its certificate with the command that reads it.
 *
 * @param expected The complete shown result; undefined while loading.
 * @param certified The run that has a certificate.
 */
export function VerifyPanel({
  request,
  provenance,
  expected,
  certified,
}: {
  request: RunRequest
  provenance: Provenance
  expected: Expected | undefined
  certified?: ComponentProps<typeof Certificate> | undefined
}) {
  const [state, setState] = useState<State>({ phase: 'idle' })
  const wallet = useOwnWallet()
  const round = useRef(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another run has not been verified
  useEffect(() => {
    round.current += 1
    setState({ phase: 'idle' })
  }, [provenance.blockHash, expected])

  const verify = async (node: string, open: () => Promise<AskNode | undefined>) => {
    if (expected === undefined) return
    round.current += 1
    const mine = round.current
    setState({ phase: 'asking', node })
    const verdict = await judge(open, request, provenance, expected)
    if (round.current === mine) setState({ phase: 'done', node, verdict })
  }
  const busy = state.phase === 'asking'
  const disabled = expected === undefined || busy
  return (
    <div className="space-y-3">
      <p className="text-ink-soft text-sm">
        Your browser calls a node itself, at the same block of the same contract, and compares every byte.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          look="filled"
          disabled={disabled}
          onClick={() => void verify('the node of this network', siteNode)}
        >
          Verify
        </Button>
        {wallet ? (
          <Button
            disabled={disabled}
            onClick={() => void verify(`the node of ${wallet.name}`, async () => nodeOf(wallet.provider))}
          >
            Verify through {wallet.name}
          </Button>
        ) : null}
      </div>
      <div role="status">
        {state.phase === 'asking' ? <p className="text-ink-soft text-sm">Asking {state.node}…</p> : null}
        {state.phase === 'done' ? <VerdictFinding node={state.node} verdict={state.verdict} /> : null}
      </div>
      {certified ? <Certificate {...certified} /> : null}
    </div>
  )
}

async function siteNode(): Promise<AskNode | undefined> {
  const url = (await fetchNetwork()).chain?.rpc_url
  return url ? nodeAt(url) : undefined
}

async function judge(
  open: () => Promise<AskNode | undefined>,
  request: RunRequest,
  provenance: Provenance,
  expected: Expected,
): Promise<Verdict> {
  try {
    const [ask, { verifyRun }] = await Promise.all([open(), importAgain(() => import('./verify-run.ts'))])
    if (ask === undefined) {
      return {
        verdict: 'cannot',
        sentence:
          'This site names no node that browsers can reach. Connect a wallet, whose node can be asked, or make the call yourself with what stands above.',
      }
    }
    return await verifyRun(ask, request, provenance, expected)
  } catch (error) {
    const silent = error instanceof NodeSilent
    return {
      verdict: 'cannot',
      sentence: silent
        ? 'The node does not answer your browser. It may be down, or not reachable from where you are; the run itself says nothing against it.'
        : `It could not be asked: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown reason'}.`,
    }
  }
}

function VerdictFinding({ node, verdict }: { node: string; verdict: Verdict }) {
  switch (verdict.verdict) {
    case 'same':
      return (
        <Finding of="proven" title="Same bytes">
          <p>
            {counted(verdict.bytes, 'byte')} from {node}, equal to what is shown here in every voice and
            number.
          </p>
          <p className="text-ink-soft text-xs">
            keccak256 <code className="[overflow-wrap:anywhere]">{verdict.digest}</code>
          </p>
        </Finding>
      )
    case 'same_rejection':
      return (
        <Finding of="proven" title="Same answer">
          {node.charAt(0).toUpperCase() + node.slice(1)} rejects the run for the same reason:{' '}
          {verdict.message}.
        </Finding>
      )
    case 'different':
      return (
        <Finding of="refuted" title="Different">
          {verdict.sentence} Either this server or {node} is wrong.
        </Finding>
      )
    case 'cannot':
      return (
        <Finding of="undecided" title="Not verified">
          {verdict.sentence}
        </Finding>
      )
  }
}

const BORDERS = { proven: 'border-verdigris', refuted: 'border-madder', undecided: 'border-weld' } as const

/** Result of a check of a run. */
function Finding({ of, title, children }: { of: keyof typeof BORDERS; title: string; children: ReactNode }) {
  return (
    <div className={`${BORDERS[of]} space-y-2 border-l-4 pl-3 text-sm [overflow-wrap:anywhere]`}>
      <p className="font-semibold text-base">{title}</p>
      {children}
    </div>
  )
}
