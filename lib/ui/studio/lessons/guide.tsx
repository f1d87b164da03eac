'use client'

import { useEffect, useMemo, useRef } from 'react'
import { useStudio } from '../context.tsx'
import { removeEntry } from '../document/commands/entries.ts'
import { type Id, tabKey } from '../document/types.ts'
import { withoutTab, withTab } from '../document/view.ts'
import { LESSONS, type LessonId, listed } from './catalog.ts'
import { LESSON_OF } from './content/index.ts'
import { Ending } from './ending.tsx'
import { GuideCard } from './guide-card.tsx'
import { lookAt, namingOf, newWord, piecesOf } from './pieces.ts'
import type { Progress, ProgressStore } from './progress.ts'
import { adoptable, beginRound, missingRoles, stepDone } from './round.ts'
import { StepView } from './step-view.tsx'
import { useEvidence } from './use-evidence.ts'
import { useHelp } from './use-help.ts'
import { usePracticeChain } from './use-practice-chain.ts'
import { useTargetOf } from './use-target-of.ts'
import { judge } from './verdict.ts'

/** This visit to the page: another one after every reload. */
const VISIT = newWord()

/** One lesson, on top of whatever is being worked on. */
export function Guide({ id, desk, onLeave }: { id: LessonId; desk: ProgressStore; onLeave: () => void }) {
  const { store } = useStudio()
  const progress = desk.getState().lessons.get(id)
  const begin = (upTo: number) => {
    const before = store.getState().document
    const round = beginRound(LESSON_OF[id], before, { word: newWord(), visit: VISIT, upTo })
    store.edit(`Begin lesson “${listed(id).title}”`, () => round.document)
    desk.set(id, round.progress)
    openEntry(store, round.open)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins once, when there is no progress yet
  useEffect(() => {
    if (!desk.getState().lessons.has(id)) begin(0)
  }, [desk, id])

  if (progress === undefined) return null
  return <Round id={id} desk={desk} progress={progress} onLeave={onLeave} onAgain={begin} />
}

function Round({
  id,
  desk,
  progress,
  onLeave,
  onAgain,
}: {
  id: LessonId
  desk: ProgressStore
  progress: Progress
  onLeave: () => void
  onAgain: (upTo: number) => void
}) {
  const { store, state, problems, shapes, say } = useStudio()
  const lesson = LESSON_OF[id]
  const { document, view } = state
  const front = view.tabs.find((tab) => tabKey(tab) === view.active)
  const inFront = front?.kind === 'entry' ? front.entryId : undefined
  const { made: pairs, word } = progress
  const made = useMemo(() => new Map(pairs), [pairs])
  const look = useMemo(
    () => lookAt(piecesOf(document, made, word), { problems, shapes, inFront }),
    [document, made, word, problems, shapes, inFront],
  )
  const steps = useMemo(() => lesson.steps(look.name, namingOf(word)), [lesson, look, word])
  const step = steps[progress.step]
  const practice = usePracticeChain(steps.some(({ elsewhere }) => elsewhere !== undefined))
  const explained = step?.elsewhere !== undefined && practice === false
  const evidence = useEvidence(step, look, progress.visit !== VISIT)
  const verdict = step && (explained ? EXPLAINED : judge(step, look, evidence))
  const target = useTargetOf(explained ? undefined : step, look)
  const latest = useRef(progress)
  latest.current = progress

  const found = step && adoptable(step, document, progress)
  useEffect(() => {
    const role = step?.adopts?.role
    if (role === undefined || found === undefined) return
    const others = latest.current.made.filter(([each]) => each !== role)
    desk.set(id, { ...latest.current, made: [...others, [role, found.id]] })
  }, [desk, id, step?.adopts?.role, found])

  const goTo = (next: number) =>
    desk.set(id, {
      ...progress,
      step: next,
      reached: Math.max(progress.reached, next),
      finished: next >= steps.length,
      visit: VISIT,
    })
  const leave = () => {
    say('You left the lesson. The button Lessons takes it up where you were.')
    onLeave()
  }
  const help = useHelp(step, look, {
    doIt() {
      if (step === undefined) return
      store.edit(`Lesson: ${step.title}`, (before) => stepDone(step, before, latest.current))
      openEntry(store, look.entry(step.target?.within ?? '')?.id ?? newest(store, step.adopts?.kind))
    },
    open: target.open,
    show: target.show,
  })

  const missing = step === undefined ? [] : missingRoles(document, made)
  const { title } = listed(id)
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
          connector={id === 'first-connector' && practice !== false ? look.name('melody') : undefined}
          next={LESSONS[LESSONS.findIndex((each) => each.id === id) + 1]}
          onNext={(nextId) => {
            if (desk.getState().lessons.get(nextId)?.finished) desk.forget(nextId)
            desk.show(nextId)
          }}
          onKeep={onLeave}
          onRemove={() => {
            removeAll(store, [...made.values()])
            say('What the lesson made is removed. Undo brings it back.')
            onLeave()
          }}
        />
      ) : (
        <StepView
          step={step}
          look={look}
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

type Store = ReturnType<typeof useStudio>['store']

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
