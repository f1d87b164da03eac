import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { Address } from '#lib/protocol/entity.ts'
import { entriesBelow } from '#lib/studio/document/node-ref.ts'
import type { Entry, Id, StudioDocument } from '#lib/studio/document/types.ts'
import type { PublicationDraft } from '#lib/studio/session.ts'
import { useSelected } from '#lib/ui/components/value.ts'
import { useCurrentSession } from '../common/session.tsx'
import { useOwnWallet } from './own-wallet.ts'
import {
  type AccountPlan,
  conflicts,
  itemKey,
  type PlanItem,
  planOf,
  planRequestOf,
  withPublished,
} from './plan.ts'
import { askPlan } from './requests.ts'
import { usePieceForm } from './use-piece-form.tsx'
import { usePublisher } from './use-publisher.ts'
import { DEFAULT_CHOICES, type WordChoices } from './words.ts'

/** After a publication, in milliseconds. */
const LISTED_AFTER_MS = [0, 2_000, 8_000]

/** The plan of an entry with everything below it, the words to publish, and how far its publication is. */
export function usePublication(document: StudioDocument, root: Entry, account: Address | undefined) {
  const { stills, library } = useCurrentSession()
  const { refresh } = library
  const request = planRequestOf(document, root, account)
  const query = useQuery({
    queryKey: ['publication-plan', request],
    enabled: request !== undefined,
    queryFn: () => askPlan(request as NonNullable<typeof request>),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const answer = query.data
  const fresh = useMemo(
    () => (answer?.outcome === 'planned' ? planOf(answer, account) : undefined),
    [answer, account],
  )
  // The last plan stays while another is read; another account has another plan.
  const [last, setLast] = useState<{ plan: AccountPlan; account: Address | undefined }>()
  useEffect(() => {
    if (fresh !== undefined) setLast({ plan: fresh, account })
  }, [fresh, account])
  const plan = fresh ?? (last?.account === account ? last?.plan : undefined)
  const own = ownItem(plan)
  const [draft, change] = usePublicationDraft(root.id)
  const piece = usePieceForm(document, root, draft, (next) => change(() => next))
  const { still, isStillDeclined } = piece
  const keepStill = useCallback(() => {
    if (isStillDeclined) void stills.takeBack(root.name)
    else if (still !== undefined && own !== undefined) void stills.store(root.name, own.contentHash, still)
  }, [stills, root, own, still, isStillDeclined])
  const refetch = query.refetch
  const queries = useQueryClient()
  const onEnd = useCallback(() => {
    void refetch()
    keepStill()
    for (const { kind, name } of entriesBelow(document, root)) refresh(kind, name)
    // The list of what is published follows the indexer, which is a moment behind the chain.
    for (const afterMs of LISTED_AFTER_MS) {
      setTimeout(() => void queries.invalidateQueries({ queryKey: ['feed'] }), afterMs)
    }
  }, [refetch, refresh, queries, document, root, keepStill])
  const wallet = useOwnWallet(account)
  const { choices = DEFAULT_CHOICES, sentence = '' } = draft
  const words = useMemo(
    (): WordChoices => ({
      ...choices,
      piece: piece.piece,
      // Not by its item's key, which changes with its name.
      ...(own && { descriptions: new Map(choices.descriptions).set(itemKey(own), sentence) }),
    }),
    [choices, piece.piece, own, sentence],
  )
  const paymaster = typeof wallet.state?.network.paymaster === 'string'
  const publishing = usePublisher(plan, document, account, words, paymaster, onEnd)
  const [hasRun, setHasRun] = useState(false)
  /** The press of Publish that waits for its plan: the document and the plan that were in view. */
  const [press, setPress] = useState<{ document: StudioDocument; plan: AccountPlan }>()
  const [isDearer, setDearer] = useState(false)
  const { progress, is, run } = publishing
  const isReady = wallet.state?.is === 'ready' && piece.waiting === undefined
  const begin = useEffectEvent(() => {
    // With the draft, so that it is there however soon the author leaves.
    keepStill()
    setHasRun(true)
    run()
  })
  useEffect(() => {
    if (press === undefined || query.isFetching || is !== 'idle') return
    setPress(undefined)
    if (fresh === undefined || press.document !== document || !isReady || conflicts(fresh).length > 0) return
    if (costsMore(fresh, press.plan)) setDearer(true)
    else begin()
  }, [press, query.isFetching, is, fresh, document, isReady])
  const settled = useMemo(
    () => (hasRun && plan && account ? withPublished(plan, progress, account) : plan),
    [hasRun, plan, progress, account],
  )
  return {
    /** Undefined while a number is unfinished. */
    request,
    query,
    /** With what was published from here, also where the site cannot be asked for it. */
    plan: settled,
    /** The item of the entry itself. */
    own: ownItem(settled),
    wallet,
    publishing,
    piece,
    words,
    setChoices: (next: (before: WordChoices) => WordChoices) =>
      change((before) => ({ choices: next(before.choices ?? DEFAULT_CHOICES) })),
    sentence,
    setSentence: (next: string) => change(() => ({ sentence: next })),
    /** Whether a press of Publish waits for the plan. */
    isRequested: press !== undefined,
    /** Whether the last press was dropped, since the plan that came costs more than the one in view. */
    isDearer,
    publish() {
      setDearer(false)
      if (plan !== undefined) setPress({ document, plan })
    },
  }
}

/** Whether a plan costs its account more than another, beyond what fees change by in a few blocks. */
function costsMore(plan: AccountPlan, than: AccountPlan): boolean {
  if (plan.sponsored) return false
  return than.sponsored || plan.cost.most * 4n > than.cost.most * 5n
}

/** Words and choices for an entry, and their setter: they outlive the card. */
function usePublicationDraft(entryId: Id) {
  const { publicationDrafts } = useCurrentSession()
  const draft = useSelected(publicationDrafts, (drafts) => drafts.get(entryId)) ?? NO_DRAFT
  const change = (next: (before: PublicationDraft) => PublicationDraft) => {
    const drafts = publicationDrafts.getState()
    const before = drafts.get(entryId) ?? NO_DRAFT
    publicationDrafts.setState(new Map(drafts).set(entryId, { ...before, ...next(before) }))
  }
  return [draft, change] as const
}

const NO_DRAFT: PublicationDraft = {}

export type Publication = ReturnType<typeof usePublication>

/** The item of the entry itself, by its place: a plan from before a rename has it under its former name. */
function ownItem(plan: AccountPlan | undefined): PlanItem | undefined {
  return plan?.items.at(-1)
}
