'use client'

import { useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { Certificate, verifyPanel } from '#lib/features/proofs/ui/index.ts'
import type { RunLink } from '#lib/protocol/run-link.ts'
import { Notice } from '#lib/ui/components/notice.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { useAnswer } from '#lib/ui/components/use-answer.ts'
import { Button, ButtonLink } from '#lib/ui/kit/button.tsx'
import { laterPart, ServedLater } from '#lib/ui/kit/load-later.tsx'
import { Streams } from '#lib/ui/plots/streams.tsx'
import { ProvenanceFacts } from '#lib/ui/run/provenance-facts.tsx'
import { executeRun, simulateRun } from '#lib/ui/run/requests.ts'
import { PAGE_PARTICLES, PAGE_STREAMS } from '#lib/views/run.ts'
import type { RunForPage } from '#lib/views/run-page.ts'
import type { DrawingWorld } from '#lib/views/world.ts'
import { reason } from './run-words.ts'

// Loaded on demand: most links name no World.
const runWorld = laterPart('The World', async () => (await import('./run-world.tsx')).RunWorld)

/** The particles of a run, the World they are shown in, and where they come from. */
export function Board({
  link,
  delivered,
  newestHref,
  world,
  lasting,
}: {
  link: RunLink
  delivered: RunForPage
  newestHref: string
  /** The World of the link. */
  world: DrawingWorld | undefined
  /** The run is re-checkable for ever, so that it has a certificate. */
  lasting: boolean
}) {
  const { result, whole, busy, again } = useWholeRun(link, delivered)
  const [more, setMore] = useState(PAGE_STREAMS)
  const { run } = result
  const provenance =
    result.where === 'chain' && 'provenance' in result.run ? result.run.provenance : undefined
  return (
    <div className="space-y-12">
      {world ? (
        <ServedLater
          part={runWorld}
          props={{
            link,
            world,
            streams: run.state === 'particles' && whole ? run.streams : undefined,
            provenance,
          }}
          opening={<p className="text-ink-soft text-sm">Opening {world.framed.name}.</p>}
        />
      ) : null}
      <Part
        id="particles"
        title="Numbers"
        aside={
          <p role="status" className="text-ink-soft text-sm">
            {busy ? (
              <>
                <span className="scripted">Fetching all of it…</span>
                {run.state === 'particles' ? (
                  <noscript>
                    The first {counted(run.streams[0]?.data.length ?? 0, 'step')} of{' '}
                    {counted(run.streams.length, 'voice')}
                  </noscript>
                ) : null}
              </>
            ) : run.state === 'particles' ? (
              `${counted(run.paths, 'voice')}, ${counted(link.count, 'step')} each`
            ) : (
              'No numbers'
            )}
          </p>
        }
      >
        {run.state === 'particles' ? (
          <>
            <Streams
              streams={run.streams}
              rows={Math.min(run.paths, run.streams.length, more)}
              count={run.streams[0]?.data.length ?? 1}
              busy={false}
            />
            {run.streams.length > more ? (
              <Button className="mt-4" onClick={() => setMore(more + PAGE_STREAMS)}>
                Show more of {counted(run.paths, 'voice')}
              </Button>
            ) : null}
          </>
        ) : (
          <div className="pt-4">
            <NoParticles
              result={result}
              link={link}
              newestHref={newestHref}
              again={again}
              lasting={lasting}
            />
          </div>
        )}
      </Part>
      {provenance && (run.state === 'particles' || run.state === 'rejected') ? (
        <Part id="provenance" title="Where it comes from">
          <div className="grid gap-x-12 gap-y-6 md:grid-cols-2">
            <ProvenanceFacts provenance={provenance} />
            <div className="scripted">
              <ServedLater
                part={verifyPanel}
                props={{
                  request: link,
                  provenance,
                  expected: run.state === 'rejected' || whole ? run : undefined,
                  certified: lasting ? { link, paths: run.state === 'particles' ? run.paths : 1 } : undefined,
                }}
              />
            </div>
          </div>
        </Part>
      ) : null}
    </div>
  )
}

/** Explains why a run has no particles. */
function NoParticles({
  result: { where, run },
  link,
  newestHref,
  again,
  lasting,
}: {
  result: RunForPage
  link: RunLink
  newestHref: string
  again: () => void
  lasting: boolean
}) {
  const onNewest = <ButtonLink href={newestHref}>Run at the newest block</ButtonLink>
  switch (run.state) {
    case 'particles':
      return null
    case 'rejected':
      return (
        <Notice title={reason(run.message)}>
          <p>
            {/condition not met/i.test(run.message)
              ? 'Nothing is broken: a piece plays only where its gates let it.'
              : 'The run stops there. Fewer steps, or other starts, may stay clear of what stops it.'}{' '}
            {where === 'chain' ? 'The runner itself says so at this block.' : 'It would stop on chain, too.'}
          </p>
        </Notice>
      )
    case 'unknown':
      return (
        <Notice title="Not on chain at this block">
          <p>
            The chain had no piece <code>{link.connector}</code> at the block of this link.
          </p>
          {onNewest}
        </Notice>
      )
    case 'block_gone':
      return (
        <Notice title="The block is gone">
          <p>
            The chain of this server has no block with the hash of this link: it was reorganised, or started
            anew, or the link is of another chain. A run at the newest block has its own link.
          </p>
          {onNewest}
        </Notice>
      )
    case 'state_gone':
      return (
        <Notice title="The node has forgotten this block">
          <p>
            The block is there, but the node of this server does not keep what was stored at it. An archive
            node could still repeat this run.
          </p>
          {onNewest}
          {lasting ? <Certificate link={link} paths={1} /> : null}
        </Notice>
      )
    case 'unavailable':
      return (
        <Notice title="No answer">
          <p>{run.message} The run itself is untouched; only its picture is missing here.</p>
          <Button onClick={again} className="scripted">
            Try again
          </Button>
        </Notice>
      )
  }
}

/** The whole run: the delivered one if it is complete, else a request's. `again` repeats it. */
function useWholeRun(
  link: RunLink,
  delivered: RunForPage,
): {
  readonly result: RunForPage
  readonly whole: boolean
  readonly busy: boolean
  readonly again: () => void
} {
  const [attempt, setAttempt] = useState(isWhole(link, delivered) ? 0 : 1)
  const key = attempt === 0 ? undefined : String(attempt)
  const answer = useAnswer(key, (signal) => fetchRun(link, signal))
  const busy = answer?.key !== key
  const result = answer?.value ?? delivered
  return {
    result,
    whole: !busy && result.run.state === 'particles',
    busy,
    again: () => setAttempt((n) => n + 1),
  }
}

async function fetchRun(link: RunLink, signal: AbortSignal): Promise<RunForPage> {
  return link.block === undefined
    ? { where: 'here', run: await simulateRun(link, signal) }
    : { where: 'chain', run: await executeRun(link, link.block.hash, signal) }
}

function isWhole({ count }: RunLink, { run }: RunForPage): boolean {
  switch (run.state) {
    case 'particles':
      return count <= PAGE_PARTICLES && run.paths === run.streams.length
    case 'unavailable':
      return false
    default:
      return true
  }
}
