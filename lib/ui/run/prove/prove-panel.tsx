'use client'

import { useEffect, useRef, useState } from 'react'
import { nodeAt, nodeOf } from '../../../engine/proof/node.ts'
import type { Source } from '../../../engine/proof/sources.ts'
import type { Provenance } from '../../../entities/execution/run-on-chain.ts'
import { type RunLink, runHref } from '../../../protocol/run-link.ts'
import type { Run } from '../../../views/run.ts'
import { Button } from '../../components/button.tsx'
import { textLink } from '../../components/link-style.ts'
import { saveFile } from '../../components/save-file.ts'
import { fetchNetwork } from '../../wallet/connect/network.ts'
import { useOwnWallet } from '../verify/own-wallet.ts'
import { Finding } from '../verify/verify-panel.tsx'
import type { Proof } from './prove-run.ts'

/**
 * Proves a run from code and Merkle proofs, at any age, and hands out the certificate.
 *
 * @param provenance Undefined where the node of the site has forgotten the block.
 * @param shown The complete values that the page shows, if any; `loading` until they are there.
 */
export function ProvePanel({
  link,
  provenance,
  shown,
}: {
  link: RunLink
  provenance: Provenance | undefined
  shown: Extract<Run, { state: 'particles' }> | 'loading' | undefined
}) {
  const sources = useSources()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [proof, setProof] = useState<Proof | 'busy'>()
  const round = useRef(0)
  const chosen = sources.filter(({ name }) => !left.has(name))

  // biome-ignore lint/correctness/useExhaustiveDependencies: another run has not been proven
  useEffect(() => {
    round.current += 1
    setProof(undefined)
  }, [link.block?.hash, shown])

  const prove = async () => {
    // Of values that are not there yet it would say nothing.
    if (shown === 'loading') return
    round.current += 1
    const mine = round.current
    setProof('busy')
    const { proveRun } = await import('./prove-run.ts')
    const found = await proveRun(link, link.block, provenance, shown, chosen)
    if (round.current === mine) setProof(found)
  }
  const choose = (name: string, on: boolean) => {
    const next = new Set(left)
    if (on) next.delete(name)
    else next.add(name)
    setLeft(next)
  }
  return (
    <div className="space-y-3">
      <p className="text-ink-soft text-sm">
        Proves the values by the code itself: that it is registered, by Merkle proof, and what it computes,
        here in your browser. No node has to remember the block.
      </p>
      <fieldset className="space-y-1 text-sm">
        <legend className="pb-1 font-medium">Sources of the header</legend>
        {sources.map(({ name }) => (
          <label key={name} className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              checked={!left.has(name)}
              onChange={(event) => choose(name, event.currentTarget.checked)}
            />
            <span className="mono [overflow-wrap:anywhere]">{name}</span>
          </label>
        ))}
        <a className={textLink} href={runHref(link, '/prove')}>
          Prove it by nodes of your choice
        </a>
      </fieldset>
      <Button
        disabled={chosen.length === 0 || proof === 'busy' || shown === 'loading'}
        onClick={() => void prove()}
      >
        Prove
      </Button>
      <div role="status">
        {proof === 'busy' ? <p className="text-ink-soft text-sm">Reading proofs and computing…</p> : null}
        {proof !== undefined && proof !== 'busy' ? <Said proof={proof} name={link.connector} /> : null}
      </div>
    </div>
  )
}

const TITLES = { proven: 'Proven', refuted: 'Refuted', undecided: 'Not proven' } as const

function Said({ proof, name }: { proof: Proof; name: string }) {
  const { verdict, sentence, text, silent = [] } = proof
  return (
    <Finding of={verdict} title={TITLES[verdict]}>
      <p className="[overflow-wrap:anywhere]">{sentence}</p>
      {silent.length > 0 ? <p>No header came from {silent.join(', ')}.</p> : null}
      {text !== undefined && verdict === 'proven' ? (
        <Button onClick={() => saveFile(new Blob([text], { type: 'application/json' }), `${name}.weft.json`)}>
          Download certificate
        </Button>
      ) : null}
    </Finding>
  )
}

/** The site's node, and that of a connected wallet. */
function useSources(): readonly Source[] {
  const wallet = useOwnWallet()
  const [site, setSite] = useState<Source>()
  useEffect(() => {
    fetchNetwork().then(
      ({ chain }) => {
        if (chain?.rpc_url) setSite({ name: new URL(chain.rpc_url).host, ask: nodeAt(chain.rpc_url) })
      },
      () => {
        // Without the site's node: the wallet's.
      },
    )
  }, [])
  // A wallet chooses its name: only printable ASCII goes into a certificate.
  const name = wallet?.name.replace(/[^ -~]/g, '').trim()
  return [
    ...(site ? [site] : []),
    ...(wallet ? [{ name: `wallet ${name || 'without a name'}`, ask: nodeOf(wallet.provider) }] : []),
  ]
}
