import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLatest } from '../../../lib/ui/studio/results/model/latest.ts'

interface Sent {
  question: number
  signal: AbortSignal
  answer: (value: string) => void
  fail: (error: Error) => void
}

let sent: Sent[]
const send = (question: number, signal: AbortSignal) =>
  new Promise<string>((answer, fail) => sent.push({ question, signal, answer, fail }))
const settled = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  sent = []
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

describe('following a changing question', () => {
  test('sends only what it rests at', async () => {
    const latest = createLatest({ send, restMs: 100 })
    for (const question of [1, 2, 3]) {
      latest.ask(question)
      await vi.advanceTimersByTimeAsync(60)
    }
    expect(latest.getState().phase).toBe('waiting')
    expect(sent).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(60)
    expect(sent.map(({ question }) => question)).toEqual([3])
    expect(latest.getState().phase).toBe('running')
  })

  test('ends the run before, whose answer then counts for nothing', async () => {
    const latest = createLatest({ send, restMs: 0 })
    latest.ask(1)
    await settled()
    latest.ask(2)
    expect(sent[0]?.signal.aborted).toBe(true)
    await settled()
    sent[0]?.answer('one')
    await settled()
    expect(latest.getState()).toMatchObject({ phase: 'running', answer: undefined })
    sent[1]?.answer('two')
    await settled()
    expect(latest.getState()).toMatchObject({ phase: 'done', answer: { question: 2, answer: 'two' } })
  })

  test('keeps the last good answer while newer ones are not', async () => {
    const latest = createLatest({ send, restMs: 0, keep: (answer: string) => answer !== 'rejected' })
    for (const [question, answer] of [
      [1, 'good'],
      [2, 'rejected'],
    ] as const) {
      latest.ask(question)
      await settled()
      sent.at(-1)?.answer(answer)
      await settled()
    }
    expect(latest.getState()).toMatchObject({
      phase: 'done',
      question: 2,
      answer: { question: 2, answer: 'rejected' },
      kept: { question: 1, answer: 'good' },
    })
    latest.ask(undefined)
    expect(latest.getState()).toMatchObject({ phase: 'idle', kept: { question: 1 } })
  })

  test('does not send what it already knows, but asks again when told', async () => {
    const latest = createLatest({ send, restMs: 0 })
    latest.ask(1)
    await settled()
    sent[0]?.answer('one')
    await settled()
    latest.ask(1)
    await settled()
    expect(sent).toHaveLength(1)
    latest.again()
    expect(sent).toHaveLength(2)
  })

  test('can be cancelled, and asked again', async () => {
    const latest = createLatest({ send, restMs: 0 })
    latest.ask(1)
    await settled()
    latest.cancel()
    expect(sent[0]?.signal.aborted).toBe(true)
    expect(latest.getState().phase).toBe('cancelled')
    sent[0]?.fail(new Error('aborted'))
    await settled()
    expect(latest.getState().phase).toBe('cancelled')
    latest.again()
    sent[1]?.answer('one')
    await settled()
    expect(latest.getState().phase).toBe('done')
  })

  test('asks again by itself when that is worth it, and gives up in words', async () => {
    const latest = createLatest({
      send,
      restMs: 0,
      retryAfterMs: (error) => (error instanceof Error && error.message === 'busy' ? 1000 : undefined),
    })
    latest.ask(1)
    await settled()
    for (let attempt = 0; attempt < 3; attempt++) {
      sent.at(-1)?.fail(new Error('busy'))
      await vi.advanceTimersByTimeAsync(1000)
    }
    expect(sent).toHaveLength(4)
    sent.at(-1)?.fail(new Error('busy'))
    await vi.advanceTimersByTimeAsync(5000)
    expect(sent).toHaveLength(4)
    expect(latest.getState()).toMatchObject({ phase: 'failed', message: 'busy' })
    latest.again()
    sent.at(-1)?.fail(new Error('no'))
    await settled()
    expect(latest.getState()).toMatchObject({ phase: 'failed', message: 'no' })
  })

  test('tells its listeners until they leave', async () => {
    const latest = createLatest({ send, restMs: 0 })
    let told = 0
    const leave = latest.subscribe(() => {
      told += 1
    })
    latest.ask(1)
    expect(told).toBe(1)
    leave()
    latest.cancel()
    expect(told).toBe(1)
  })
})
