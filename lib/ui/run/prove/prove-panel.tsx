'use client'

import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Provenance } from '../../../entities/execution/run-on-chain.ts'
import { nodeAt, nodeOf } from '../../../proof/node.ts'
import type { Source } from '../../../proof/sources.ts'
import type { RunLink } from '../../../protocol/run-link.ts'
import type { Run } from '../../../views/run.ts'
import { Button } from '../../components/button.tsx'
import { fetchNetwork } from '../../wallet/connect/network.ts'
import { ownWallet } from '../verify/own-wallet.ts'
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
  const { sources, add } = useSources()
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
        <AddSource onAdd={add} />
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

function AddSource({ onAdd }: { onAdd: (url: string) => string | undefined }) {
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const problemNow = onAdd(String(new FormData(form).get('source') ?? ''))
    setProblem(problemNow)
    if (problemNow === undefined) form.reset()
  }
  return (
    <details>
      <summary className="cursor-pointer py-1 text-ink-soft">Another node</summary>
      <form onSubmit={submit} className="flex flex-wrap gap-2">
        <input
          name="source"
          type="url"
          required
          maxLength={400}
          placeholder="https://…"
          aria-label="Address of a node"
          className="mono min-h-9 min-w-0 flex-1 rounded-md border border-edge bg-raised px-2 pointer-coarse:min-h-11"
        />
        <Button type="submit">Add</Button>
      </form>
      <p className="text-ink-soft text-xs">
        {problem ?? 'Browsers reach only nodes that this site permits; others count as silent.'}
      </p>
    </details>
  )
}

const BORDERS = { proven: 'border-verdigris', refuted: 'border-madder', undecided: 'border-weld' } as const
const TITLES = { proven: 'Proven', refuted: 'Refuted', undecided: 'Not proven' } as const

function Said({ proof, name }: { proof: Proof; name: string }) {
  const { verdict, sentence, text, silent = [] } = proof
  return (
    <div className={`${BORDERS[verdict]} space-y-2 border-l-4 pl-3 text-sm`}>
      <p className="font-semibold text-base">{TITLES[verdict]}</p>
      <p className="[overflow-wrap:anywhere]">{sentence}</p>
      {silent.length > 0 ? <p>No header came from {silent.join(', ')}.</p> : null}
      {text !== undefined && verdict === 'proven' ? (
        <Button onClick={() => download(`${name}.weft.json`, text)}>Download certificate</Button>
      ) : null}
    </div>
  )
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  anchor.click()
  // Some browsers read it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** The site's node, that of a connected wallet, and addresses that the reader adds. */
function useSources() {
  const [sources, setSources] = useState<readonly Source[]>([])
  useEffect(() => {
    let gone = false
    const add = (source: Source) => setSources((before) => withSource(before, source))
    fetchNetwork().then(
      ({ chain }) => {
        if (!gone && chain?.rpcUrl) add({ name: new URL(chain.rpcUrl).host, ask: nodeAt(chain.rpcUrl) })
      },
      () => {
        // Without the site's node: those that the reader adds.
      },
    )
    ownWallet().then(
      (wallet) => {
        // A wallet chooses its name: only printable ASCII goes into a certificate.
        const name = wallet?.name.replace(/[^ -~]/g, '').trim()
        if (!gone && wallet) add({ name: `wallet ${name || 'without a name'}`, ask: nodeOf(wallet.provider) })
      },
      () => {
        // No wallet.
      },
    )
    return () => {
      gone = true
    }
  }, [])
  return {
    sources,
    add: (text: string): string | undefined => {
      const url = URL.canParse(text) ? new URL(text) : undefined
      if (url === undefined || !/^https?:$/.test(url.protocol)) return 'This is no address of a node.'
      if (url.host.length > 90) return 'The name of this node is too long.'
      setSources((before) => withSource(before, { name: url.host, ask: nodeAt(url.href) }))
      return undefined
    },
  }
}

function withSource(sources: readonly Source[], source: Source): readonly Source[] {
  return sources.some(({ name }) => name === source.name) ? sources : [...sources, source]
}
