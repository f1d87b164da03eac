import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLatest } from '#lib/ui/studio/preview/latest.ts'

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

const CONFIRM_MS = 2000

describe('an optimistic answer', () => {
  let quick: Sent[]
  let learned: unknown[][]
  const optimistic = {
    send: (question: number, signal: AbortSignal) =>
      new Promise<string | undefined>((answer, fail) => quick.push({ question, signal, answer, fail })),
    isSame: (one: string, other: string) => one === other,
    confirmAfterMs: CONFIRM_MS,
    onAnswer: (...told: unknown[]) => {
      learned.push(told)
    },
  }
  const follow = () =>
    createLatest({ send, debounceMs: 100, isGood: (answer) => answer !== 'rejected', optimistic })
  const rest = () => vi.advanceTimersByTimeAsync(100)
  const confirm = () => vi.advanceTimersByTimeAsync(CONFIRM_MS)

  beforeEach(() => {
    quick = []
    learned = []
  })

  test('is shown until it is confirmed, and then stays the same object', async () => {
    const latest = follow()
    latest.ask(1)
    quick[0]?.answer('one')
    await settled()
    expect(latest.getState()).toMatchObject({
      phase: 'waiting',
      answer: undefined,
      lastGood: { question: 1, answer: 'one', unconfirmed: true },
    })
    await confirm()
    sent[0]?.answer('one')
    await settled()
    const { lastGood, answer, differed } = latest.getState()
    expect([lastGood?.answer, lastGood?.unconfirmed, answer?.answer, differed]).toEqual([
      'one',
      undefined,
      'one',
      false,
    ])
    expect(learned).toEqual([[1, 'one', false]])
  })

  test('saves requests while questions change, and is confirmed once they do not', async () => {
    const latest = follow()
    for (const question of [1, 2, 3]) {
      latest.ask(question)
      quick.at(-1)?.answer(`answer ${question}`)
      await vi.advanceTimersByTimeAsync(CONFIRM_MS - 100)
    }
    expect(sent).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(100)
    expect(sent.map(({ question }) => question)).toEqual([3])
  })

  test('that is declined sends the question to the server without further delay', async () => {
    const latest = follow()
    latest.ask(1)
    quick[0]?.answer(undefined as unknown as string)
    await rest()
    expect(sent.map(({ question }) => question)).toEqual([1])
  })

  test('is replaced by a different answer, which sets `differed`', async () => {
    const latest = follow()
    latest.ask(1)
    quick[0]?.answer('uno')
    await confirm()
    sent[0]?.answer('one')
    await settled()
    expect(latest.getState()).toMatchObject({ lastGood: { answer: 'one' }, differed: true })
    expect(latest.getState().lastGood?.unconfirmed).toBeUndefined()
    expect(learned).toEqual([[1, 'one', true]])
    latest.ask(2)
    expect(latest.getState().differed).toBe(false)
  })

  test('is withdrawn when the answer is not good, or the question is withdrawn', async () => {
    const latest = follow()
    latest.ask(1)
    await rest()
    sent[0]?.answer('one')
    await settled()
    latest.ask(2)
    quick[1]?.answer('two')
    await confirm()
    expect(latest.getState().lastGood).toMatchObject({ question: 2 })
    sent[1]?.answer('rejected')
    await settled()
    expect(latest.getState()).toMatchObject({ lastGood: { question: 1, answer: 'one' }, differed: true })
    latest.ask(3)
    quick[2]?.answer('three')
    await settled()
    latest.ask(undefined)
    expect(latest.getState()).toMatchObject({ phase: 'idle', lastGood: { question: 1 } })
  })

  test('of an older question is shown while questions change faster, but never an older one than shown', async () => {
    const latest = follow()
    latest.ask(1)
    latest.ask(2)
    latest.ask(3)
    expect(quick.map(({ signal }) => signal.aborted)).toEqual([true, true, false])
    quick[1]?.answer('two')
    await settled()
    expect(latest.getState()).toMatchObject({ question: 3, lastGood: { question: 2 } })
    quick[0]?.answer('one')
    await settled()
    expect(latest.getState().lastGood).toMatchObject({ question: 2 })
    quick[2]?.answer('three')
    await settled()
    expect(latest.getState().lastGood).toMatchObject({ question: 3 })
    await confirm()
    sent[0]?.answer('three')
    await settled()
    // What was shown for older questions was compared with nothing.
    expect(learned).toEqual([[3, 'three', false]])
  })

  test('has no effect when it is late or fails', async () => {
    const latest = follow()
    for (const question of [1, 2, 3]) {
      latest.ask(question)
      await rest()
      sent.at(-1)?.answer(`answer ${question}`)
      await settled()
      const before = latest.getState()
      if (question === 1) quick[0]?.answer('late')
      if (question === 2) quick[1]?.answer(undefined as unknown as string)
      if (question === 3) quick[2]?.fail(new Error('no'))
      await settled()
      expect(latest.getState()).toBe(before)
      expect(before.differed).toBe(false)
    }
  })

  test('stays, unconfirmed, when there is no answer', async () => {
    const latest = follow()
    latest.ask(1)
    quick[0]?.answer('one')
    await confirm()
    sent[0]?.fail(new Error('no'))
    await settled()
    expect(latest.getState()).toMatchObject({ phase: 'failed', lastGood: { question: 1, unconfirmed: true } })
  })
})
