'use client'

import { Settings, SquarePen, X } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { ask } from '#lib/browser/requests.ts'
import type { Session } from '#lib/studio/session.ts'
import { useValue } from '#lib/ui/components/value.ts'
import { Button, Row } from '#lib/ui/kit/button.tsx'
import { TextArea } from '#lib/ui/kit/field.tsx'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import type { HitView } from '#lib/ui/lists/hit-view.ts'
import { AnswerView } from './answer-view.tsx'
import { createAssistant } from './conversation/assistant.ts'
import { storedEndpoint } from './conversation/endpoint.ts'
import { drawSmall } from './picture.ts'
import { SetupForm } from './setup-form.tsx'

const MAX_WORDS = 8_000
const SUGGESTIONS = [
  'A slow canon in D minor whose second voice enters after four steps',
  'A kick and hat pattern of sixteen steps, with a bass below it',
  'Make what is open slower and darker',
]

export interface PanelProps {
  readonly session: Session
  readonly allowed: readonly string[]
  readonly shown: boolean
  readonly onClose: () => void
}

/** The assistant beside the editor: a conversation whose answers are steps of the document's history. */
export function AssistantPanel({ session, allowed, shown, onClose }: PanelProps) {
  const assistant = useMemo(() => assistantOf(session, allowed), [session, allowed])
  useEffect(() => assistant.stop, [assistant])
  const { answers, question } = useValue(assistant)
  const endpoint = useValue(storedEndpoint)
  // Undo elsewhere decides what can be undone here.
  useValue(session.document)
  useEffect(() => {
    // An answer under way has the key that was forgotten.
    if (endpoint === undefined) assistant.stop()
  }, [endpoint, assistant])
  const [settings, showSettings] = useState(false)
  const [words, setWords] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const panel = useRef<HTMLElement>(null)
  const dialog = useRef<HTMLDivElement>(null)
  const isRunning = answers.at(-1)?.status === 'running'
  const isSetUp = endpoint !== undefined && !settings
  const log = useFollowEnd(answers)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the form and the conversation take each other's place
  useEffect(() => {
    if (!shown) return
    const first = panel.current?.querySelector<HTMLElement>('textarea, form input')
    first?.focus()
  }, [shown, isSetUp])

  useEffect(() => {
    if (question !== undefined) dialog.current?.focus()
  }, [question])

  const actions = useMemo(() => {
    /** The button that was pressed goes: the focus stays in the conversation. */
    const inLog =
      <Args extends readonly unknown[]>(act: (...args: Args) => unknown) =>
      (...args: Args) => {
        void act(...args)
        log.current?.focus({ preventScroll: true })
      }
    return {
      undo: inLog(assistant.undo),
      retry: inLog(assistant.retry),
      stop: inLog(assistant.stop),
      allow: inLog(() => assistant.reply(true)),
      refuse: inLog(() => assistant.reply(false)),
    }
  }, [assistant, log])
  const submit = () => {
    if (words.trim() === '' || isRunning) return
    void assistant.submit(words.trim())
    setWords('')
  }

  return (
    <aside
      ref={panel}
      hidden={!shown}
      aria-label="Assistant"
      data-assistant
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
        event.preventDefault()
        onClose()
      }}
      className={`${shown ? 'flex' : ''} absolute inset-x-0 bottom-0 z-over h-[max(70%,20rem)] max-h-full flex-col border-edge border-t bg-ground shadow-xl panes:top-0 panes:left-auto panes:h-auto panes:w-[23rem] panes:border-t-0 panes:border-l xl:static xl:shrink-0 xl:border-line xl:shadow-none`}
    >
      <header className="flex shrink-0 items-center gap-1 border-line border-b py-1 pr-1 pl-3">
        <h2 className="font-semibold text-sm">Assistant</h2>
        <span className="mono min-w-0 flex-1 truncate text-ink-soft text-xs">{endpoint?.model}</span>
        {answers.length === 0 || !isSetUp ? null : (
          <IconButton
            label="New conversation"
            onClick={() => {
              assistant.clear()
              field.current?.focus()
            }}
          >
            <SquarePen aria-hidden="true" />
          </IconButton>
        )}
        <IconButton
          label="Settings of the assistant"
          aria-pressed={settings}
          onClick={() => showSettings(!settings)}
        >
          <Settings aria-hidden="true" />
        </IconButton>
        <IconButton label="Close the assistant" onClick={onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </header>
      {isSetUp ? (
        <>
          <div ref={log} tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto p-3 outline-none">
            {answers.length === 0 ? (
              <div className="space-y-2 text-sm">
                <p className="text-ink-soft">
                  Say what you want to hear or change. Each answer is one step of undo.
                </p>
                {SUGGESTIONS.map((each) => (
                  <Row
                    look="boxed"
                    key={each}
                    onClick={() => {
                      setWords(each)
                      field.current?.focus()
                    }}
                    className="min-h-11 px-3 py-2"
                  >
                    {each}
                  </Row>
                ))}
              </div>
            ) : null}
            <ol
              aria-label="Conversation"
              aria-live="polite"
              aria-busy={isRunning && question === undefined}
              className="space-y-5"
            >
              {answers.map((answer, index) => (
                <AnswerView
                  key={answer.id}
                  answer={answer}
                  endpoint={endpoint}
                  onUndo={assistant.canUndo(answer) ? actions.undo : undefined}
                  onRetry={index === answers.length - 1 && !isRunning ? actions.retry : undefined}
                />
              ))}
            </ol>
          </div>
          {question === undefined ? null : (
            <div
              ref={dialog}
              tabIndex={-1}
              role="alertdialog"
              aria-label="The assistant asks"
              className="shrink-0 space-y-2 border-calm-line border-t bg-calm p-3 text-sm"
            >
              <p className="[overflow-wrap:anywhere]">{question.sentence}</p>
              <div className="flex gap-2">
                <Button size="small" look="filled" onClick={actions.allow}>
                  {question.action}
                </Button>
                <Button size="small" onClick={actions.refuse}>
                  No
                </Button>
              </div>
            </div>
          )}
          <form
            className="shrink-0 space-y-2 border-line border-t p-3"
            onSubmit={(event) => {
              event.preventDefault()
              submit()
            }}
          >
            <TextArea
              ref={field}
              aria-label="Your words"
              placeholder="A slow canon in D minor…"
              rows={3}
              maxLength={MAX_WORDS}
              value={words}
              onText={setWords}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
                event.preventDefault()
                submit()
              }}
              className="resize-none text-base [@media(max-height:30rem)]:h-11"
            />
            <div className="flex items-center justify-end gap-2">
              {isRunning ? (
                <Button size="small" onClick={actions.stop}>
                  Stop the answer
                </Button>
              ) : null}
              <Button type="submit" size="small" look="filled" disabled={isRunning || words.trim() === ''}>
                Send
              </Button>
            </div>
          </form>
        </>
      ) : (
        <SetupForm endpoint={endpoint} allowed={allowed} onDone={() => showSettings(false)} />
      )}
    </aside>
  )
}

function assistantOf(session: Session, allowed: readonly string[]) {
  const { transport } = session.sound
  return createAssistant({
    store: session.document,
    runs: session.runs,
    library: session.library,
    endpoint: storedEndpoint.getState,
    allowed,
    open: ({ id }) => session.openTab({ kind: 'entry', entryId: id }),
    openPlan({ id }) {
      session.openTab({ kind: 'entry', entryId: id })
      session.plans.setState(new Set([...session.plans.getState(), id]))
    },
    play: (on) => (on ? transport.play() : transport.stop()),
    picture: drawSmall,
    async search(words, signal) {
      const answer = await ask(
        'GET',
        `/search/suggestions?${new URLSearchParams({ q: words })}`,
        undefined,
        signal,
      )
      const { suggestions } = answer as { readonly suggestions: readonly HitView[] }
      return suggestions.map(({ kind, title, name = title, detail }) => ({
        ...{ kind, name, detail },
        ...(title !== name && { title }),
      }))
    },
  })
}

/** Keeps the end of a growing list in sight, unless its reader has scrolled up. */
function useFollowEnd(content: unknown): RefObject<HTMLDivElement | null> {
  const area = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  useEffect(() => {
    const element = area.current
    if (element === null) return
    const note = () => {
      follows.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40
    }
    element.addEventListener('scroll', note)
    return () => element.removeEventListener('scroll', note)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: more content scrolls
  useEffect(() => {
    if (follows.current) area.current?.scrollTo({ top: area.current.scrollHeight })
  }, [content])
  return area
}
