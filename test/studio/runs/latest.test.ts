import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLatest } from '#lib/studio/runs/latest.ts'

interface Sent {
  question: number
  signal: AbortSignal
  answer: (value: string) => void
  fail: (error: Error) => void
}

let sent: Sent[]
function send(question: number, signal: AbortSignal) {
  return new Promise<string>((answer, fail) => sent.push({ question, signal, answer, fail }))
}
function settled() {
  return vi.advanceTimersByTimeAsync(0)
}

beforeEach(() => {
  sent = []
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

describe('the newest of a series of questions', () => {
  test('debounces', async () => {
    const latest = createLatest({ send, debounceMs: 100 })
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

  test('aborts the request before, whose answer is ignored', async () => {
    const latest = createLatest({ send, debounceMs: 0 })
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

  test('retains the last good answer while newer ones are not', async () => {
    const latest = createLatest({ send, debounceMs: 0, isGood: (answer: string) => answer !== 'rejected' })
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
      lastGood: { question: 1, answer: 'good' },
    })
    latest.ask(undefined)
    expect(latest.getState()).toMatchObject({ phase: 'idle', lastGood: { question: 1 } })
  })

  test('does not send an equal question, except by `again`', async () => {
    const latest = createLatest({ send, debounceMs: 0 })
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

  test('can be cancelled and sent again', async () => {
    const latest = createLatest({ send, debounceMs: 0 })
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

  test('retries retryable errors, then fails with the message', async () => {
    const latest = createLatest({
      send,
      debounceMs: 0,
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

  test('notifies its listeners until they unsubscribe', async () => {
    const latest = createLatest({ send, debounceMs: 0 })
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

describe('a local answer', () => {
  let quick: Sent[]
  let learned: unknown[][]
  const local = (question: number, signal: AbortSignal) =>
    new Promise<string | undefined>((answer, fail) => quick.push({ question, signal, answer, fail }))
  const follow = () =>
    createLatest({
      send,
      debounceMs: 100,
      isGood: (answer) => answer !== 'rejected',
      local,
      onAnswer: (...told: unknown[]) => {
        learned.push(told)
      },
    })
  const rest = () => vi.advanceTimersByTimeAsync(100)
  const nothing = undefined as unknown as string

  beforeEach(() => {
    quick = []
    learned = []
  })

  test('is the answer: nothing is sent', async () => {
    const latest = follow()
    latest.ask(1)
    quick[0]?.answer('one')
    await settled()
    expect(latest.getState()).toMatchObject({ phase: 'done', lastGood: { question: 1, answer: 'one' } })
    await vi.advanceTimersByTimeAsync(60_000)
    expect([sent, learned]).toEqual([[], []])
  })

  test('that is declined, bad or fails leaves the question to the server without further delay', async () => {
    const latest = follow()
    for (const [question, decline] of [
      [1, (asked: Sent) => asked.answer(nothing)],
      [2, (asked: Sent) => asked.answer('rejected')],
      [3, (asked: Sent) => asked.fail(new Error('no'))],
    ] as const) {
      latest.ask(question)
      decline(quick.at(-1)!)
      await rest()
      expect(sent.at(-1)?.question).toBe(question)
      sent.at(-1)?.answer(`answer ${question}`)
      await settled()
      expect(latest.getState()).toMatchObject({ phase: 'done', lastGood: { question } })
    }
    expect(learned).toEqual([1, 2, 3].map((question) => [question, `answer ${question}`]))
  })

  test('that takes a second races with the server; the first counts', async () => {
    const latest = follow()
    latest.ask(1)
    await vi.advanceTimersByTimeAsync(1100)
    expect(sent).toHaveLength(1)
    quick[0]?.answer('here')
    await settled()
    expect(sent[0]?.signal.aborted).toBe(true)
    expect(latest.getState()).toMatchObject({ phase: 'done', lastGood: { answer: 'here' } })
    latest.ask(2)
    await vi.advanceTimersByTimeAsync(1100)
    sent[1]?.answer('there')
    await settled()
    const before = latest.getState()
    quick[1]?.answer('late')
    await settled()
    expect(latest.getState()).toBe(before)
    expect(before).toMatchObject({ phase: 'done', lastGood: { answer: 'there' } })
  })

  test('of an older question is shown while questions change faster, but never an older one than shown', async () => {
    const latest = follow()
    latest.ask(1)
    latest.ask(2)
    latest.ask(3)
    expect(quick.map(({ signal }) => signal.aborted)).toEqual([true, true, false])
    quick[1]?.answer('two')
    await settled()
    expect(latest.getState()).toMatchObject({ phase: 'waiting', question: 3, lastGood: { question: 2 } })
    quick[0]?.answer('one')
    await settled()
    expect(latest.getState().lastGood).toMatchObject({ question: 2 })
    quick[2]?.answer('three')
    await settled()
    expect(latest.getState()).toMatchObject({ phase: 'done', lastGood: { question: 3 } })
  })

  test('has no effect once the question is cancelled or withdrawn', async () => {
    const latest = follow()
    latest.ask(1)
    latest.cancel()
    quick[0]?.answer('one')
    await settled()
    expect(latest.getState()).toMatchObject({ phase: 'cancelled', lastGood: undefined })
    latest.ask(2)
    latest.ask(undefined)
    quick[1]?.answer('two')
    await settled()
    expect(latest.getState()).toMatchObject({ phase: 'idle', lastGood: undefined })
  })
})
