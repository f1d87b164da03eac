import type { Metadata } from 'next'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { formatEther } from 'viem'
import { counted, formatInteger } from '#lib/browser/format.ts'
import type { DescribedNode } from '#lib/chain/nodes/describe-node.ts'
import type { SponsorAccount } from '#lib/core/entities/publication/sponsor-budget.ts'
import type { DegradedReason } from '#lib/core/feed/degraded.ts'
import type { FeedStatus } from '#lib/core/feed/read-status.ts'
import { ChainHeads } from '#lib/ui/components/chain-heads.tsx'
import { Fact, Facts } from '#lib/ui/components/facts.tsx'
import { measure } from '#lib/ui/components/measure.ts'
import { PageHead } from '#lib/ui/components/page-head.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { duration, exactTime } from '#lib/ui/components/time.ts'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { statusView } from '#lib/views/read.ts'
import truth from '../../../docs/truth.json' with { type: 'json' }
import { ContractVerification } from './contract-verification.tsx'
import { Refresh } from './refresh.tsx'

export const metadata: Metadata = {
  title: 'Status',
  description: 'Whether this server keeps up with its chain, and what to do when it does not.',
}

export default async function StatusPage() {
  await connection()
  const view = await statusView()
  if (view === undefined) {
    return (
      <>
        <PageHead title="Status" />
        <Verdict
          reasons={[
            {
              code: 'not_configured',
              sentence: 'This server cannot start: its configuration is invalid.',
              fix: 'Its log names each invalid variable, with the fix.',
            },
          ]}
        />
      </>
    )
  }
  const { feed, nodes, sponsor, degraded, checkedAtMs } = view.status
  return (
    <>
      <Refresh />
      <PageHead
        title="Status"
        lead={<p>Whether this server keeps up with its chain, measured by how far it is behind.</p>}
      />
      <Verdict reasons={degraded} />
      {feed === null ? null : <FeedFacts feed={feed} nowMs={checkedAtMs} />}
      {sponsor === null ? null : <Sponsor sponsor={sponsor} />}
      {nodes.length === 0 ? null : <Nodes nodes={nodes} nowMs={checkedAtMs} />}
      <ContractVerification sourcify={view.sourcify} />
      <div className={`${measure} mt-12 text-ink-soft text-sm`}>
        <p className="max-w-prose">
          How far simulation can be trusted: of {formatInteger(truth.cases)} runs of random pieces and
          arbitrary code, all gave the same on the engine, as servers and as pages have it, a reference EVM
          and a chain ({truth.date}, seed {truth.seed}, commit {truth.commit}).
        </p>
      </div>
      <p className={`${measure} mt-4 text-ink-soft text-sm`}>
        As of <span className="mono">{exactTime(checkedAtMs)}</span>
        <span className="scripted">, refreshed every few seconds</span>
        <span className="unscripted">
          ;{' '}
          <a className={textLink} href="/status">
            refresh
          </a>
        </span>
        . For programs:{' '}
        <a className={textLink} href="/status.json">
          status.json
        </a>
        ,{' '}
        <a className={textLink} href="/healthz">
          healthz
        </a>
        ,{' '}
        <a className={textLink} href="/readyz">
          readyz
        </a>
        ,{' '}
        <a className={textLink} href="/metrics">
          metrics
        </a>
        .
      </p>
    </>
  )
}

function FeedFacts({ feed, nowMs }: { feed: FeedStatus; nowMs: number }) {
  return (
    <>
      <Section
        title="Where the feed stands"
        lead="Each vertical line is a block, the newest at the right. The horizontal line reaches as far as blocks were indexed; its colour shows how final they are."
      >
        <ChainHeads heads={feed} lead={36} />
      </Section>
      <div className={`${measure} mt-16 gap-x-14 lg:columns-2`}>
        <Group title="Lag">
          <Fact label="Blocks behind" note="Blocks of the node that are not indexed yet.">
            {number(feed.lagBlocks)}
          </Fact>
          <Fact label="Time behind" note="Age of the oldest of those blocks.">
            {feed.lagSeconds === null ? (
              '–'
            ) : (
              <span className="mono">{duration(feed.lagSeconds * 1000)}</span>
            )}
          </Fact>
        </Group>
        <Group title="Workers">
          <Fact label="Writer" note="The process that indexes the chain.">
            {feed.writer === null ? (
              'None'
            ) : (
              <>
                <span className="mono">{feed.writer.instance}</span>
                <span className="block text-ink-soft">
                  for {duration(nowMs - feed.writer.sinceMs)}, last heartbeat{' '}
                  {duration(feed.writer.heartbeatAgoMs)} ago
                </span>
              </>
            )}
          </Fact>
          <Fact label="Standby workers" note="One takes over within seconds if the writer stops.">
            {number(feed.standbys)}
          </Fact>
        </Group>
        <Group title="Stream">
          <Fact label="Last change" note="Number of the newest change in the stream of the feed.">
            <span className="mono">{formatInteger(feed.lastStreamSeq)}</span>
          </Fact>
          <Fact label="Oldest kept" note="A client whose position is older must read the feed again.">
            {feed.oldestStreamSeq === null ? (
              '–'
            ) : (
              <span className="mono">{formatInteger(feed.oldestStreamSeq)}</span>
            )}
          </Fact>
        </Group>
        <Group title="Finality">
          <Fact label="Safe" note="Up to here, a reorganisation would take a serious failure of the chain.">
            {height(feed.safe)}
          </Fact>
          <Fact label="Finalized" note="Up to here the chain never changes.">
            {height(feed.finalized)}
          </Fact>
          <Fact label="Chain">
            {feed.chainId === null ? '–' : <span className="mono">id {feed.chainId}</span>}
          </Fact>
        </Group>
        <Group title="Reorganisations">
          <Fact label="Reorgs observed" note="How often the chain replaced indexed blocks.">
            {number(feed.reorganisations.count)}
          </Fact>
          <Fact label="Deepest">
            {feed.reorganisations.deepest === 0 ? '–' : counted(feed.reorganisations.deepest, 'block')}
          </Fact>
          <Fact label="Last">
            {feed.reorganisations.last === null
              ? 'Never'
              : `${counted(feed.reorganisations.last.depth, 'block')}, ${exactTime(feed.reorganisations.last.atMs)}`}
          </Fact>
        </Group>
      </div>
    </>
  )
}

function Sponsor({ sponsor }: { sponsor: SponsorAccount }) {
  const { budget, spent, reserved, publications, reverted } = sponsor
  return (
    <Section
      title="What this site pays for"
      lead="Publications whose gas this site pays today (UTC). Their owners sign what is published."
    >
      <Facts>
        <Fact label="Published">{number(publications)}</Fact>
        <Fact label="Spent" note="What transactions cost that were mined.">
          <Amount wei={spent} />
        </Fact>
        <Fact label="Reserved" note="What transactions that are on their way may cost.">
          <Amount wei={reserved} />
        </Fact>
        <Fact label="Left for today">
          <Amount wei={budget - spent - reserved} />
        </Fact>
        <Fact label="Failed on the chain" note="Their accounts pay for themselves until tomorrow.">
          {number(reverted)}
        </Fact>
      </Facts>
    </Section>
  )
}

function Amount({ wei }: { wei: bigint }) {
  return <span className="mono">{formatEther(wei)}</span>
}

function Nodes({ nodes, nowMs }: { nodes: readonly DescribedNode[]; nowMs: number }) {
  return (
    <Section
      title={nodes.length === 1 ? 'The node' : 'Nodes'}
      lead="What this server found out about the nodes of the chain that it asks."
    >
      <ul className="grid gap-x-14 gap-y-8 lg:grid-cols-2">
        {nodes.map((node, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: nodes have no name but their place in the configuration
          <li key={index} className="min-w-0 border-line border-t pt-3">
            <h3 className="font-semibold">
              {nodes.length === 1 ? '' : `Node ${index + 1}: `}
              {NODE_STATES[node.state]}
              {node.sinceMs === undefined ? '' : ` for ${duration(nowMs - node.sinceMs)}`}
              {nodes.length > 1 && node.preferred ? ', asked first' : ''}
            </h3>
            {node.words === undefined ? null : (
              <p className="mt-1 [overflow-wrap:anywhere]">It says: {node.words}</p>
            )}
            <ul className="mt-2 space-y-1 text-ink-soft">
              {node.sentences.map((sentence) => (
                <li key={sentence} className="[overflow-wrap:anywhere]">
                  {sentence}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const NODE_STATES: Readonly<Record<DescribedNode['state'], string>> = {
  answers: 'answers',
  lagging: 'answers, but is behind the others',
  paused: 'takes no more requests',
  down: 'does not answer',
  unknown: 'not asked yet',
}

function Section({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <section className={`${measure} mt-16`}>
      <h2 className="font-semibold text-2xl tracking-tight">{title}</h2>
      <p className="mt-2 mb-6 max-w-prose text-ink-soft">{lead}</p>
      {children}
    </section>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Part title={title} className="mb-14 break-inside-avoid">
      <Facts>{children}</Facts>
    </Part>
  )
}

function number(value: number | null): ReactNode {
  return value === null ? '–' : <span className="mono">{formatInteger(value)}</span>
}

function height(value: number | null): ReactNode {
  return value === null ? '–' : <span className="mono">block {formatInteger(value)}</span>
}

/** Whether the server is healthy; else each problem with its fix. */
function Verdict({ reasons }: { reasons: readonly DegradedReason[] }) {
  const well = reasons.length === 0
  return (
    <div className={`${measure} mt-10`}>
      <div
        className={`rounded-lg border p-5 sm:p-7 ${well ? 'border-line bg-raised' : 'border-calm-line bg-calm'}`}
      >
        <p className="flex items-center gap-3 font-semibold text-xl" role="status">
          <Sign well={well} />
          {well ? 'All systems work' : reasons.length === 1 ? 'There is a problem' : 'There are problems'}
        </p>
        {well ? (
          <p className="mt-2 max-w-prose text-ink-soft">
            What is shown here is what the chain holds, up to its newest block.
          </p>
        ) : (
          <ul className="mt-4 space-y-5">
            {reasons.map(({ code, sentence, fix }) => (
              <li key={code} className="max-w-prose">
                <p className="font-medium [overflow-wrap:anywhere]">{sentence}</p>
                <p className="mt-1 [overflow-wrap:anywhere]">
                  <span className="font-medium">What to do:</span> {fix}
                </p>
              </li>
            ))}
          </ul>
        )}
        {well ? null : (
          <p className="mt-5 max-w-prose text-sm">
            Nothing published is lost: everything indexed is still served, and the rest is read from the chain
            later.
          </p>
        )}
      </div>
    </div>
  )
}

function Sign({ well }: { well: boolean }) {
  return (
    <svg viewBox="0 0 24 24" className="size-7 shrink-0" aria-hidden="true" fill="none" strokeWidth="2.5">
      {well ? (
        <>
          <path className="stroke-edge" d="M6 3v18M12 3v18M18 3v18" strokeWidth="2" />
          <path className="stroke-raised" d="M0 12h24" strokeWidth="7" />
          <path className="stroke-verdigris" d="M1 12h22" strokeWidth="3.5" strokeLinecap="round" />
        </>
      ) : (
        <>
          <path className="stroke-edge" d="M6 3v18M12 3v18M18 3v18" strokeWidth="2" />
          <path className="stroke-madder" d="M1 12h6M17 12h6" strokeWidth="3.5" strokeLinecap="round" />
        </>
      )}
    </svg>
  )
}
