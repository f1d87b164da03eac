'use client'

import { useEffect, useRef, useState } from 'react'
import { type AskNode, NodeSilent, nodeAt, nodeOf } from '../../../engine/proof/node.ts'
import type { Provenance } from '../../../entities/execution/run-on-chain.ts'
import { Button } from '../../components/button.tsx'
import { counted } from '../../components/format.ts'
import { fetchNetwork } from '../../wallet/connect/network.ts'
import type { RunRequest } from '../requests.ts'
import { ownWallet } from './own-wallet.ts'
import type { Expected, Verdict } from './verify-run.ts'

type State =
  | { readonly phase: 'idle' }
  | { readonly phase: 'asking'; readonly node: string }
  | { readonly phase: 'done'; readonly node: string; readonly verdict: Verdict }

/**
 * Repeats the call of a run in the browser, without this site, and compares the bytes.
 *
 * @param expected The complete shown result; undefined while loading.
 */
export function VerifyPanel({
  request,
  provenance,
  expected,
}: {
  request: RunRequest
  provenance: Provenance
  expected: Expected | undefined
}) {
  const [state, setState] = useState<State>({ phase: 'idle' })
  const [wallet, setWallet] = useState<Awaited<ReturnType<typeof ownWallet>>>()
  const round = useRef(0)

  useEffect(() => {
    let gone = false
    ownWallet().then(
      (found) => {
        if (!gone) setWallet(found)
      },
      () => {
        // Without a wallet: the node that the site names.
      },
    )
    return () => {
      gone = true
    }
  }, [])

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
          look="primary"
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
        {state.phase === 'done' ? <Said node={state.node} verdict={state.verdict} /> : null}
      </div>
    </div>
  )
}

async function siteNode(): Promise<AskNode | undefined> {
  const url = (await fetchNetwork()).chain?.rpcUrl
  return url ? nodeAt(url) : undefined
}

async function judge(
  open: () => Promise<AskNode | undefined>,
  request: RunRequest,
  provenance: Provenance,
  expected: Expected,
): Promise<Verdict> {
  try {
    const [ask, { verifyRun }] = await Promise.all([open(), import('./verify-run.ts')])
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

function Said({ node, verdict }: { node: string; verdict: Verdict }) {
  switch (verdict.verdict) {
    case 'same':
      return (
        <div className="border-verdigris border-l-4 pl-3 text-sm">
          <p className="font-semibold text-base">Same bytes</p>
          <p>
            {counted(verdict.bytes, 'byte')} from {node}, equal to what is shown here in every path and value.
          </p>
          <p className="mt-1 text-ink-soft text-xs">
            keccak256 <code className="[overflow-wrap:anywhere]">{verdict.digest}</code>
          </p>
        </div>
      )
    case 'same_rejection':
      return (
        <div className="border-verdigris border-l-4 pl-3 text-sm">
          <p className="font-semibold text-base">Same answer</p>
          <p>
            {node.charAt(0).toUpperCase() + node.slice(1)} rejects the run for the same reason:{' '}
            {verdict.message}.
          </p>
        </div>
      )
    case 'different':
      return (
        <div className="border-madder border-l-4 pl-3 text-sm">
          <p className="font-semibold text-base">Different</p>
          <p className="[overflow-wrap:anywhere]">
            {verdict.sentence} Either this server or {node} is wrong.
          </p>
        </div>
      )
    case 'cannot':
      return (
        <div className="border-weld border-l-4 pl-3 text-sm">
          <p className="font-semibold text-base">Not verified</p>
          <p className="[overflow-wrap:anywhere]">{verdict.sentence}</p>
        </div>
      )
  }
}
