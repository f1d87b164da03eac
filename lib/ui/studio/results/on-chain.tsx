'use client'

import type { PreviewRequest } from '../../../api/studio/preview-schemas.ts'
import { type RunLink, runHref } from '../../../domain/run-link.ts'
import type { SlotChoice } from '../../../domain/world-slots.ts'
import { Button } from '../../button.tsx'
import { textLink } from '../../link-style.ts'
import { ProvenanceFacts } from '../../run/provenance-facts.tsx'
import type { Asked } from '../../run/requests.ts'
import { CopyRunLink } from '../../run/share-panel.tsx'
import { VerifyPanel } from '../../run/verify/verify-panel.tsx'
import { compareRuns } from './model/compare.ts'
import { comparisonInWords } from './model/in-words.ts'
import type { GoodRun } from './model/run.ts'
import { goodRunOf } from './model/run.ts'
import type { ChainRun } from './use-chain-run.ts'

export type Source = 'here' | 'chain'

/** Executes what is published, and chooses which of the two runs is shown. */
export function ChainBar({
  asked,
  question,
  edited,
  world,
  slots,
  chainRun,
  source,
  onSource,
  onExecute,
}: {
  asked: Asked
  /** Undefined while nothing can be run. */
  question: PreviewRequest | undefined
  /** What is simulated is an entry of the document, which may be another than the published one. */
  edited: boolean
  /** Id of the World that the link of the run names, and what feeds its slots. */
  world: string | undefined
  slots: readonly SlotChoice[] | undefined
  /** The run on chain of this very question. */
  chainRun: ChainRun | undefined
  source: Source
  onSource: (source: Source) => void
  onExecute: (asked: Asked, question: PreviewRequest) => void
}) {
  const provenance = source === 'chain' ? chainRun?.found?.provenance : undefined
  const link: RunLink = {
    ...asked,
    world,
    slots,
    ...(provenance && { block: { number: provenance.blockNumber, hash: provenance.blockHash } }),
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pt-2">
      <Button
        disabled={question === undefined || chainRun?.run.phase === 'running'}
        title={edited ? `Runs what is published as ${asked.connector}` : undefined}
        onClick={() => question && onExecute(asked, question)}
      >
        Execute on chain
      </Button>
      {edited && provenance === undefined ? null : <CopyRunLink link={link} origin={undefined} />}
      {edited && provenance === undefined ? null : (
        <a className={`${textLink} text-sm`} href={runHref(link)}>
          Its page
        </a>
      )}
      {chainRun ? (
        <fieldset className="flex rounded-md border border-edge">
          <legend className="sr-only">Which run is shown</legend>
          {(
            [
              ['here', 'Simulated'],
              ['chain', 'On chain'],
            ] as const
          ).map(([each, words]) => (
            <label
              key={each}
              className="flex min-h-10 cursor-pointer items-center px-3 text-sm first-of-type:rounded-l-md last-of-type:rounded-r-md has-checked:bg-ink has-checked:text-ground has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 pointer-coarse:min-h-11"
            >
              <input
                type="radio"
                className="sr-only"
                checked={source === each}
                onChange={() => onSource(each)}
              />
              {words}
            </label>
          ))}
        </fieldset>
      ) : null}
    </div>
  )
}

/** Where the run on chain comes from, whether the simulation agrees with it, and a check past this site. */
export function ChainResult({
  chainRun,
  simulated,
  edited,
}: {
  chainRun: ChainRun
  /** The simulation of the same question, when there is one. */
  simulated: GoodRun | undefined
  edited: boolean
}) {
  const { found, asked, run } = chainRun
  if (found === undefined) return null
  const executed = run.kept && goodRunOf(run.kept)
  return (
    <section aria-label="Where it comes from" className="mt-6 space-y-4 border-line border-t pt-4">
      {executed && simulated ? (
        <p className="text-sm">
          Against the simulation here: {comparisonInWords(compareRuns(simulated.streams, executed.streams))}
          {edited ? ` What ran on chain is what is published as ${asked.connector}.` : ''}
        </p>
      ) : null}
      <ProvenanceFacts provenance={found.provenance} />
      <VerifyPanel asked={asked} provenance={found.provenance} expected={found.expected} />
    </section>
  )
}
