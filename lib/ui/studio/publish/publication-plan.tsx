'use client'

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { Address } from '../../../protocol/entity.ts'
import { Button } from '../../components/button.tsx'
import { entityHref } from '../../components/entity-href.ts'
import { counted } from '../../components/format.ts'
import { textLink } from '../../components/link-style.ts'
import { useSession } from '../../wallet/session/use-session.ts'
import { useStudio } from '../common/context.tsx'
import { ProblemNotes } from '../common/problem-notes.tsx'
import type { Entry, StudioDocument } from '../document/types.ts'
import { Checks } from './checks.tsx'
import { useOwnWallet } from './own-wallet.ts'
import {
  type AccountPlan,
  conflicts,
  entriesBelow,
  etherText,
  gasText,
  itemKey,
  openItems,
  planOf,
  planRequestOf,
} from './plan.ts'
import { PlanList } from './plan-list.tsx'
import { askPlan } from './requests.ts'
import { isInProgress, usePublisher } from './use-publisher.ts'

/**
 * The plan of a publication: order, cost, conflicts; and publishing it, one transaction at a time.
 *
 * @param onClose Closes the plan; a publication in progress can be resumed later.
 */
export function PublicationPlan({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { state, problems } = useStudio()
  const session = useSession()
  const account = session.status === 'signed_in' ? session.session.address : undefined
  // The plan is about the document as it was when the plan was opened or refreshed.
  const [snapshot, setSnapshot] = useState<StudioDocument>(state.document)
  const root = snapshot.entries.find(({ id }) => id === entry.id)
  const below = root === undefined ? [] : entriesBelow(snapshot, root)
  const wrong = problems.filter(
    ({ severity, at }) => severity === 'error' && below.some(({ id }) => id === at.entryId),
  )
  return (
    <section
      aria-labelledby="publication-plan"
      className="mb-8 rounded-lg border border-line bg-raised p-4 sm:p-6"
    >
      <div className="flex items-start justify-between gap-4">
        <h2 id="publication-plan" className="font-semibold text-xl [overflow-wrap:anywhere]">
          Publish {entry.name}
        </h2>
        <Button onClick={onClose} className="min-h-9 shrink-0 px-3">
          Close
        </Button>
      </div>
      {root === undefined || snapshot !== state.document ? (
        <p className="mt-3 text-sm">
          The document has changed since.{' '}
          <button
            type="button"
            className={`${textLink} cursor-pointer font-medium`}
            onClick={() => setSnapshot(state.document)}
          >
            Make the plan anew
          </button>
        </p>
      ) : null}
      {root === undefined ? null : wrong.length > 0 && snapshot === state.document ? (
        <div className="mt-4 space-y-2">
          <p>Before it can be published:</p>
          <ProblemNotes problems={wrong} />
        </div>
      ) : (
        <Planned key={account ?? ''} document={snapshot} root={root} account={account} />
      )}
    </section>
  )
}

function Planned({
  document,
  root,
  account,
}: {
  document: StudioDocument
  root: Entry
  account: Address | undefined
}) {
  const request = planRequestOf(document, root, account)
  const asked = useQuery({
    queryKey: ['publication-plan', request],
    enabled: request !== undefined,
    queryFn: () => askPlan(request as NonNullable<typeof request>),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const answer = asked.data
  const [plan, setPlan] = useState<AccountPlan>()
  useEffect(() => {
    if (answer?.outcome === 'planned') setPlan(planOf(answer, account))
  }, [answer, account])
  const refetch = asked.refetch
  const onEnd = useCallback(() => void refetch(), [refetch])
  const own = useOwnWallet(account)
  const publishing = usePublisher(plan, document, account, onEnd)

  if (request === undefined) return <Sentence>A number of it is not finished yet.</Sentence>
  if (asked.isError && plan === undefined) {
    return (
      <Sentence alert>
        {asked.error instanceof Error && asked.error.message !== ''
          ? asked.error.message
          : 'The site does not answer.'}{' '}
        <button type="button" className={`${textLink} cursor-pointer`} onClick={() => void refetch()}>
          Try again
        </button>
      </Sentence>
    )
  }
  if (answer?.outcome === 'invalid') {
    return (
      <div className="mt-4 space-y-2 text-sm" role="alert">
        <p>It cannot be built yet:</p>
        <ul className="list-disc space-y-1 pl-5">
          {answer.problems.map(({ kind, name, message }) => (
            <li key={`${kind}/${name}/${message}`} className="[overflow-wrap:anywhere]">
              <span className="mono text-xs">{name}</span>: {message}
            </li>
          ))}
        </ul>
      </div>
    )
  }
  if (plan === undefined) return <Sentence>Looking at what is published…</Sentence>

  const open = openItems(plan)
  const blocked = conflicts(plan)
  const begun = plan.items.some((item) => isInProgress(publishing.progress.get(itemKey(item))))
  const ready = own.state?.is === 'ready' && blocked.length === 0
  return (
    <div className="mt-3 space-y-5">
      <Summary plan={plan} />
      <Checks plan={plan} account={account} own={own} />
      <PlanList
        plan={plan}
        publishing={publishing}
        explorer={own.state?.network.chain?.explorerUrl ?? undefined}
      />
      {open.length === 0 ? (
        <p role="status" className="font-medium">
          Everything is published.{' '}
          <a className={textLink} href={entityHref(root.kind, root.name)}>
            See {root.name}
          </a>
        </p>
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            look="primary"
            disabled={!ready || publishing.is !== 'idle' || asked.isFetching}
            onClick={publishing.run}
          >
            {publishing.is === 'running'
              ? 'Publishing…'
              : begun
                ? 'Go on'
                : `Publish with ${counted(open.length, 'transaction')}`}
          </Button>
          <p role="status" className="min-w-0 text-ink-soft text-sm">
            {hint(publishing.is, blocked.length > 0, account === undefined)}
          </p>
        </div>
      )}
    </div>
  )
}

function hint(is: string, blocked: boolean, visitor: boolean): string {
  if (visitor) return 'Sign in first: what is published belongs to your account.'
  if (blocked) return 'Something is in the way: see the list.'
  if (is === 'elsewhere') return 'Another tab is publishing for this account. This one waits.'
  if (is === 'no_storage') {
    return 'This browser keeps nothing for this site, so it could not be told whether something was sent already. Allow storage to publish.'
  }
  if (is === 'running') return 'You can close this page at any time and go on later.'
  return 'The wallet asks for each transaction, one at a time.'
}

function Summary({ plan }: { plan: AccountPlan }) {
  const open = openItems(plan).length
  if (open === 0) return null
  return (
    <p className="max-w-prose">
      <strong className="font-semibold">{counted(open, 'transaction')}</strong>, about {gasText(plan.gas)}{' '}
      gas: probably <strong className="font-semibold">{etherText(plan.cost.likely)}</strong>. Wallets set
      aside up to {etherText(plan.cost.most)} and give back what is not used.
    </p>
  )
}

function Sentence({ children, alert = false }: { children: ReactNode; alert?: boolean }) {
  return (
    <p role={alert ? 'alert' : 'status'} className="mt-4">
      {children}
    </p>
  )
}
