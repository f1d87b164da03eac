'use client'

import { useId, useState } from 'react'
import type { ComparisonAnswer } from '../../../api/studio/worlds-schemas.ts'
import { Button } from '../../button.tsx'
import { BundleDiff } from './bundle-diff.tsx'
import { linesOf } from './in-words.ts'
import { compareBundle, replaceBundle } from './requests.ts'

type State =
  | { readonly at: 'choosing' | 'comparing' }
  | { readonly at: 'compared' | 'replacing'; readonly diff: ComparisonAnswer }
  | { readonly at: 'replaced' }

/** A new bundle for a World: what it would change is shown before anything does. */
export function ReplaceBundle({ worldId, onReplaced }: { worldId: string; onReplaced: () => void }) {
  const field = useId()
  const [bundle, setBundle] = useState<File>()
  const [state, setState] = useState<State>({ at: 'choosing' })
  const [problems, setProblems] = useState<readonly string[]>([])

  const compare = (file: File | undefined) => {
    setBundle(file)
    setProblems([])
    if (file === undefined) return setState({ at: 'choosing' })
    setState({ at: 'comparing' })
    compareBundle(worldId, file).then(
      (diff) => setState({ at: 'compared', diff }),
      (error: unknown) => {
        setProblems(linesOf(error))
        setState({ at: 'choosing' })
      },
    )
  }
  const replace = (file: File, diff: ComparisonAnswer) => {
    setState({ at: 'replacing', diff })
    setProblems([])
    replaceBundle(worldId, file).then(
      () => {
        setState({ at: 'replaced' })
        onReplaced()
      },
      (error: unknown) => {
        setProblems(linesOf(error))
        setState({ at: 'compared', diff })
      },
    )
  }
  const busy = state.at === 'comparing' || state.at === 'replacing'
  const diff = 'diff' in state ? state.diff : undefined
  return (
    <div className="space-y-4">
      <div>
        <label htmlFor={field} className="block text-sm">
          The new bundle, a ZIP of at most 25 MiB
        </label>
        <input
          id={field}
          type="file"
          accept=".zip,application/zip"
          disabled={busy}
          onChange={(event) => compare(event.currentTarget.files?.[0])}
          className="mt-1 min-h-11 w-full cursor-pointer rounded-md border border-edge p-2 text-sm file:mr-3 file:cursor-pointer file:rounded-md file:border-0 file:bg-sunk file:px-3 file:py-1.5 file:text-ink"
        />
      </div>
      <div role="status" className="space-y-4">
        {state.at === 'comparing' ? <p className="text-sm">Comparing…</p> : null}
        {state.at === 'replaced' ? <p className="text-sm">Replaced. The page loads anew…</p> : null}
        {problems.length > 0 ? (
          <ul className="list-disc space-y-1 pl-5 text-madder text-sm [overflow-wrap:anywhere]">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        ) : null}
        {diff ? <BundleDiff diff={diff} /> : null}
        {diff?.refusal ? <p className="text-madder text-sm">{diff.refusal}.</p> : null}
      </div>
      {diff && bundle && !diff.same && diff.refusal === undefined ? (
        <Button look="primary" disabled={busy} onClick={() => replace(bundle, diff)}>
          {state.at === 'replacing' ? 'Replacing…' : 'Replace it'}
        </Button>
      ) : null}
    </div>
  )
}
