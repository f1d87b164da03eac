'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { removeEntry } from '#lib/studio/document/commands/entries.ts'
import type { StudioStore } from '#lib/studio/document/store.ts'
import { type Id, tabKey, withoutTab, withTab } from '#lib/studio/document/types.ts'
import { LESSONS, type LessonId, listed } from '#lib/studio/lessons/catalog.ts'
import { LESSON_OF } from '#lib/studio/lessons/content/index.ts'
import type { Lesson, Snapshot, Step } from '#lib/studio/lessons/lesson.ts'
import type { Progress, ProgressStore } from '#lib/studio/lessons/progress.ts'
import {
  adoptable,
  beginRound,
  missingRoles,
  namingOf,
  newWord,
  piecesOf,
  snapshotOf,
  stepDone,
} from '#lib/studio/lessons/round.ts'
import { judge } from '#lib/studio/lessons/verdict.ts'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { fund } from '#lib/ui/wallet/connect/burner.ts'
import { fetchNetwork } from '#lib/ui/wallet/connect/network.ts'
import { prompt } from '#lib/ui/wallet/prompt.ts'
import { useSession as useAccountSession } from '#lib/ui/wallet/session/use-session.ts'
import { useCurrentSession, useDocument, useSession, useSound } from '../common/session.tsx'
import { GuideCard } from './guide-card.tsx'
import { type Help, StepView } from './step-view.tsx'
import { Text } from './text.tsx'
import { useEvidence } from './use-evidence.ts'
import { useTargetOf } from './use-target.ts'

/** One lesson, on top of whatever is being worked on. */
export function Guide({
  id,
  lessonsState,
  onLeave,
}: {
  id: LessonId
  lessonsState: ProgressStore
  onLeave: () => void
}) {
  const { document: store } = useCurrentSession()
  const progress = lessonsState.getState().lessons.get(id)
  const begin = (upTo: number) => {
    const before = store.getState().document
    const round = beginRound(LESSON_OF[id], before, { word: newWord(), upTo })
    store.edit(`Begin lesson “${listed(id).title}”`, () => round.document)
    lessonsState.set(id, round.progress)
    openEntry(store, round.open)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins once, when there is no progress yet
  useEffect(() => {
    if (!lessonsState.getState().lessons.has(id)) begin(0)
  }, [lessonsState, id])

  if (progress === undefined) return null
  return <Round id={id} lessonsState={lessonsState} progress={progress} onLeave={onLeave} onAgain={begin} />
}

function Round({
  id,
  lessonsState,
  progress,
  onLeave,
  onAgain,
}: {
  id: LessonId
  lessonsState: ProgressStore
  progress: Progress
  onLeave: () => void
  onAgain: (upTo: number) => void
}) {
  const { document: store, announce } = useCurrentSession()
  const document = useDocument()
  const problems = useSession((state) => state.problems)
  const lesson = LESSON_OF[id]
  const { made: pairs, word } = progress
  const idByRole = useMemo(() => new Map(pairs), [pairs])
  const snapshot = useMemo(
    () => snapshotOf(piecesOf(document, idByRole, word), problems),
    [document, idByRole, word, problems],
  )
  const steps = useMemo(() => lesson.steps(snapshot.name, namingOf(word)), [lesson, snapshot, word])
  const step = steps[progress.step]
  const practice = usePracticeChain(steps.some(({ elsewhere }) => elsewhere !== undefined))
  const explained = step?.elsewhere !== undefined && practice === false
  const evidence = useEvidence(step, snapshot)
  const verdict = step && (explained ? EXPLAINED : judge(step, snapshot, evidence))
  const target = useTargetOf(explained ? undefined : step, snapshot)
  const latest = useRef(progress)
  latest.current = progress

  const candidate = step && adoptable(step, document, progress)
  useEffect(() => {
    const role = step?.adopts?.role
    if (role === undefined || candidate === undefined) return
    const others = latest.current.made.filter(([each]) => each !== role)
    lessonsState.set(id, { ...latest.current, made: [...others, [role, candidate.id]] })
  }, [lessonsState, id, step?.adopts?.role, candidate])

  const goTo = (next: number) =>
    lessonsState.set(id, {
      ...progress,
      step: next,
      reached: Math.max(progress.reached, next),
      finished: next >= steps.length,
    })
  const leave = () => {
    announce('You left the lesson. The button Lessons takes it up where you were.')
    onLeave()
  }
  const help = useHelp(step, snapshot, {
    doIt() {
      if (step === undefined) return
      store.edit(`Lesson: ${step.title}`, (before) => stepDone(step, before, latest.current))
      openEntry(store, snapshot.entry(step.target?.within ?? '')?.id ?? newest(store, step.adopts?.kind))
    },
    open: target.open,
    show: target.show,
  })

  const missing = step === undefined ? [] : missingRoles(document, idByRole)
  const { title } = listed(id)
  const published = practice === false ? undefined : steps.find(({ publishes }) => publishes)?.publishes
  return (
    <GuideCard
      label={`Lesson: ${title}`}
      title={title}
      place={step === undefined ? 'Done' : `Step ${progress.step + 1} of ${steps.length}`}
      share={progress.step / steps.length}
      find={target.find}
      stepKey={String(progress.step)}
      heading={step?.title ?? 'That was it'}
      onLeave={leave}
    >
      {step === undefined || verdict === undefined ? (
        <Ending
          lesson={lesson}
          connector={published && snapshot.name(published)}
          next={LESSONS[LESSONS.findIndex((each) => each.id === id) + 1]}
          onNext={(nextId) => {
            if (lessonsState.getState().lessons.get(nextId)?.finished) lessonsState.forget(nextId)
            lessonsState.show(nextId)
          }}
          onKeep={onLeave}
          onRemove={() => {
            const { document: before } = store.getState()
            removeAll(store, [...idByRole.values()])
            const { document } = store.getState()
            announce('What the lesson made is removed.', document === before ? undefined : document)
            onLeave()
          }}
        />
      ) : (
        <StepView
          text={explained ? (step.elsewhere ?? []) : step.text}
          verdict={verdict}
          missing={missing.length > 0}
          canGoOn={verdict.done || progress.step < progress.reached}
          help={explained ? undefined : help}
          onShow={explained ? undefined : target.show}
          onAgain={() => onAgain(progress.step)}
          onBack={progress.step === 0 ? undefined : () => goTo(progress.step - 1)}
          onNext={() => goTo(progress.step + 1)}
        />
      )}
    </GuideCard>
  )
}

const EXPLAINED = { done: true, sentence: '', comparisons: [] } as const

type Store = StudioStore

function openEntry(store: Store, entryId: Id | undefined): void {
  if (entryId === undefined) return
  store.setView((view) => withTab(view, { kind: 'entry', entryId }))
}

function newest(store: Store, kind: string | undefined): Id | undefined {
  return store.getState().document.entries.findLast((entry) => entry.kind === kind)?.id
}

function removeAll(store: Store, ids: readonly Id[]): void {
  store.edit('Remove what the lesson made', (before) =>
    ids.reduce((document, entryId) => removeEntry(document, { entryId }), before),
  )
  for (const entryId of ids) store.setView((view) => withoutTab(view, tabKey({ kind: 'entry', entryId })))
}

/** The end of a lesson: summary, keep or remove its entries, next lesson. */
export function Ending({
  lesson,
  connector,
  next,
  onNext,
  onKeep,
  onRemove,
}: {
  lesson: Lesson
  /** The connector that was published; undefined when none was. */
  connector: string | undefined
  next: (typeof LESSONS)[number] | undefined
  onNext: (id: LessonId) => void
  onKeep: () => void
  onRemove: () => void
}) {
  return (
    <>
      <div className="space-y-2 text-sm">
        {lesson.ending.map((paragraph) => (
          <Text key={paragraph}>{paragraph}</Text>
        ))}
        {connector === undefined ? null : (
          <p>
            It has a page that you can share:{' '}
            <a className={`${textLink} mono text-xs`} href={entityHref('connector', connector)}>
              {connector}
            </a>
          </p>
        )}
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        {next === undefined ? null : (
          <Button look="filled" size="small" onClick={() => onNext(next.id)}>
            Next: {next.title}
          </Button>
        )}
        <Button size="small" onClick={onKeep}>
          Keep what I made
        </Button>
        <Button size="small" onClick={onRemove}>
          Remove it from my work
        </Button>
      </div>
    </>
  )
}

/** The help for a step; signing is left to the wallet's owner. */
function useHelp(
  step: Step | undefined,
  snapshot: Snapshot,
  {
    doIt,
    open,
    show,
  }: {
    readonly doIt: () => void
    /** Opens what the control of the step opens. */
    readonly open: () => void
    readonly show: (() => void) | undefined
  },
): Help | undefined {
  const session = useAccountSession()
  const { transport } = useSound()
  if (step === undefined) return undefined
  if (step.awaits === 'account') return { label: 'Open it for me', run: () => void prompt('sign_in') }
  if (step.awaits === 'sound') {
    const play = () => {
      const { playing, source } = transport.getState()
      if (source === undefined) show?.()
      else if (!playing) transport.toggle()
    }
    return { label: 'Do it for me', run: play }
  }
  if (step.awaits === 'published') {
    const account = session.status === 'signed_in' ? session.session.address : undefined
    if (account === undefined) return { label: 'Sign in', run: () => void prompt('sign_in') }
    return {
      label: 'Open it for me',
      run() {
        void fund(account)
        open()
      },
    }
  }
  if (step.adopts !== undefined && snapshot.entry(step.adopts.role) !== undefined) return undefined
  if (step.doIt !== undefined || step.adopts !== undefined) return { label: 'Do it for me', run: doIt }
  return show && { label: 'Do it for me', run: show }
}

/** Whether publishing here costs nothing and can be practised; undefined while that is not known. */
function usePracticeChain(wanted: boolean): boolean | undefined {
  const { data } = useQuery({ queryKey: ['lesson-network'], queryFn: fetchNetwork, enabled: wanted })
  if (data === undefined || data.chain === null) return undefined
  return data.chain.development && data.publication
}
