import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { FairScheduler, type SchedulerOptions } from '#lib/platform/limits/fair-scheduler.ts'
import { MemoryBudget } from '#lib/platform/limits/memory-budget.ts'
import { type Principal, principalOf } from '#lib/platform/limits/principal.ts'
import { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { forRequest } from '#lib/platform/telemetry/request-scope.ts'
import { Failure } from '#lib/protocol/failure.ts'

const [A, B, C]: Principal[] = [['a'], ['b'], ['c']]

function scheduler(options: Partial<SchedulerOptions>) {
  const ledger = new UsageLedger()
  const refuse = (limit: string) => new Failure('overloaded', limit)
  return new FairScheduler({ ledger, rate: 'threadSeconds', places: 1, maxQueue: 0, refuse, ...options })
}

/** Resolves after what follows from promises that are settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Enters and records the order in which turns begin. */
function recorder(shared: FairScheduler) {
  const order: string[] = []
  const releases: (() => void)[] = []
  return {
    order,
    enter: (name: string, principal?: Principal) =>
      shared.acquire(principal).then((release) => {
        order.push(name)
        releases.push(release)
      }),
    /** Ends the turn that began first. */
    end: async () => {
      await settled()
      releases.shift()?.()
      await settled()
    },
  }
}

test('among clients that used as little, what is expected to be short comes first', async () => {
  const shared = scheduler({ maxQueue: 3 })
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  const run = (name: string, principal: Principal, seconds: number, until = Promise.resolve()) =>
    shared.run(() => until.then(() => void order.push(name)), { principal, expectedSeconds: seconds })
  const held = run('first', A!, 0, first.promise)
  await settled()
  const others = [run('long', B!, 2), run('short', C!, 0.1)]
  await settled()
  first.resolve()
  await Promise.all([held, ...others])
  expect(order).toEqual(['first', 'short', 'long'])
})

describe('principals', () => {
  test('an IPv6 network counts with the 48 bits around it, a fresh account with where it comes from', () => {
    expect(principalOf(undefined)).toBeUndefined()
    expect(principalOf('203.0.113.5')).toEqual(['203.0.113.5'])
    expect(principalOf('2001:db8:7:1::/64')).toEqual(['2001:db8:7:1::/64', '2001:db8:7::/48'])
    const address = '0x1'
    expect(principalOf('203.0.113.5', { address })).toEqual(['account 0x1', '203.0.113.5'])
    expect(principalOf('203.0.113.5', { address, isEstablished: true })).toEqual(['account 0x1'])
  })
})

describe('the account of what clients use', () => {
  test('usage fades in about a minute, and counts for every key', () => {
    let now = 0
    const ledger = new UsageLedger(() => now)
    ledger.charge(['x', 'net'], 'nodeCalls', 30)
    ledger.charge(['y', 'net'], 'nodeCalls', 10)
    expect(ledger.usage(['x'], 'nodeCalls')).toBe(30)
    expect(ledger.usage(['y', 'net'], 'nodeCalls')).toBe(40)
    expect(ledger.usage(['y'], 'threadSeconds')).toBe(0)
    now = 60_000
    expect(ledger.usage(['net'], 'nodeCalls')).toBeCloseTo(40 / Math.E)
    for (let i = 0; i < 6000; i++) {
      now += 1000
      ledger.charge(['even'], 'nodeCalls', 1)
    }
    expect(ledger.usage(['even'], 'nodeCalls')).toBeCloseTo(60, -1)
  })

  test('accounts that hold nothing are forgotten first', () => {
    const ledger = new UsageLedger()
    ledger.hold(['holder'], 'bytes', 5)
    for (let i = 0; i < 20_100; i++) ledger.charge([`visitor ${i}`], 'nodeCalls', 1)
    expect(ledger.currentLevel(['holder'], 'bytes')).toBe(5)
    expect(ledger.usage(['visitor 0'], 'nodeCalls')).toBe(0)
  })
})

describe('turns', () => {
  test('go to the client that used least, then to the oldest', async () => {
    let time = 0
    // A busy machine takes its time between two looks.
    const ledger = new UsageLedger(() => (time += 100))
    ledger.charge(A, 'threadSeconds', 9)
    ledger.charge(B, 'threadSeconds', 5)
    const { order, enter, end } = recorder(scheduler({ ledger, maxQueue: 9 }))
    void enter('first', A)
    for (const [name, of] of [
      ['a', A],
      ['b1', B],
      ['b2', B],
      ['c', C],
    ] as const)
      void enter(name, of)
    for (let i = 0; i < 5; i++) await end()
    expect(order).toEqual(['first', 'c', 'b1', 'b2', 'a'])
  })

  test('leave one place to others, also for the networks around a client', async () => {
    const shared = scheduler({ places: 2, maxQueue: 9 })
    const { order, enter, end } = recorder(shared)
    const net = (n: number) => principalOf(`2001:db8:7:${n}::/64`)
    void enter('one', net(1))
    void enter('two', net(2))
    void enter('other', C)
    await end()
    expect(order).toEqual(['one', 'other', 'two'])
    expect([shared.active, shared.waiting]).toEqual([2, 0])
  })

  test('a full queue refuses the client with most in it, and newcomers only where all have as much', async () => {
    const shared = scheduler({ maxQueue: 3 })
    const { order, enter, end } = recorder(shared)
    void enter('a0', A)
    const waiting = ['a1', 'a2', 'a3'].map((name) => enter(name, A))
    await expect(enter('a4', A)).rejects.toThrow('all')
    void enter('b1', B)
    await expect(waiting[2]).rejects.toThrow('client')
    await expect(enter('a5', A)).rejects.toThrow('all')
    void enter('c1', C)
    await expect(waiting[1]).rejects.toThrow('client')
    await expect(enter('b2', B)).rejects.toThrow('all')
    for (let i = 0; i < 4; i++) await end()
    expect(order.toSorted()).toEqual(['a0', 'a1', 'b1', 'c1'])
  })

  test('without a queue are refused at once', async () => {
    const shared = scheduler({ places: 2 })
    const release = await shared.acquire(A)
    await expect(shared.acquire(A)).rejects.toThrow('client')
    await shared.acquire(B)
    await expect(shared.acquire(C)).rejects.toThrow('all')
    release()
    release()
    const takeC = () => shared.take(C)
    takeC()
    expect(takeC).toThrow('client')
    expect(() => shared.take(A)).toThrow('all')
    expect(shared.active).toBe(2)
  })

  test('that wait end with their signal, and take no place', async () => {
    const shared = scheduler({ maxQueue: 1 })
    const release = await shared.acquire(A)
    const leave = new AbortController()
    const left = shared.acquire(B, leave.signal)
    leave.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    release()
    expect([shared.active, shared.waiting]).toEqual([0, 0])
  })

  test('of a request release its other place before they wait', async () => {
    const shared = scheduler({ maxQueue: 1 })
    const release = await shared.acquire(A)
    let left = 0
    const scope = {
      requestId: 'x',
      operation: 'x',
      leavePlace: () => {
        left += 1
      },
    }
    const waiting = forRequest(scope, () => shared.acquire(B))
    expect([left, shared.waiting]).toEqual([1, 1])
    release()
    await waiting
  })
})

describe('long turns', () => {
  const endless = (yielding: AbortSignal) =>
    new Promise<never>((_, reject) => {
      yielding.addEventListener('abort', () => reject(yielding.reason))
    })

  test('yield to a client that used less, begin again, and are told what they took', async () => {
    const shared = scheduler({ maxQueue: 9, sliceMs: 20 })
    const turns: number[] = []
    const long = shared.run(
      ({ yielding, spentMs }) => {
        turns.push(spentMs)
        return turns.length === 1 ? endless(yielding) : Promise.resolve('done')
      },
      { principal: A },
    )
    expect(await shared.run(async () => 'short', { principal: B })).toBe('short')
    expect(await long).toBe('done')
    expect(turns[0]).toBe(0)
    expect(turns[1]).toBeGreaterThanOrEqual(20)
  })

  test('yield as soon as one has lasted for a slice and none is about to end', async () => {
    let now = 0
    const shared = scheduler({ places: 2, maxQueue: 9, sliceMs: 1_000, now: () => now })
    const yielded: string[] = []
    const long = (name: string, principal: Principal | undefined) =>
      shared
        .run(({ yielding }) => endless(yielding).finally(() => yielded.push(name)), { principal })
        .catch(() => {})
    void long('first', A)
    now = 2_000
    void long('second', B)
    await settled()
    now = 2_100
    const short = shared.run(async () => 'short', { principal: C })
    shared.refill()
    await settled()
    expect(yielded).toEqual([])
    now = 2_300
    shared.refill()
    await settled()
    expect(yielded).toEqual(['first'])
    expect(await short).toBe('short')
  })

  test('that are waited for are looked at when the soonest may yield', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const shared = scheduler({ places: 2, maxQueue: 9, sliceMs: 1_000 })
    const long = (principal: Principal | undefined) =>
      void shared.run(({ yielding }) => endless(yielding), { principal }).catch(() => {})
    const other = Promise.withResolvers<void>()
    const ended = shared.run(() => other.promise, { principal: B })
    long(A)
    // Waits for the one before it, and is looked at once in a slice.
    long(A)
    await vi.advanceTimersByTimeAsync(1_500)
    other.resolve()
    await ended
    long(B)
    await vi.advanceTimersByTimeAsync(100)
    const short = shared.run(async () => 'short', { principal: C })
    await vi.advanceTimersByTimeAsync(160)
    expect(await Promise.race([short, 'waits'])).toBe('short')
  })

  test('never yield to the same client, nor to one that used more', async () => {
    const ledger = new UsageLedger()
    ledger.charge(C, 'threadSeconds', 1000)
    const shared = scheduler({ ledger, maxQueue: 9, sliceMs: 5 })
    let yielded = false
    const stop = Promise.withResolvers<void>()
    const long = shared.run(
      ({ yielding }) => {
        yielding.addEventListener('abort', () => {
          yielded = true
        })
        return stop.promise
      },
      { principal: A },
    )
    const others = [
      shared.run(async () => {}, { principal: A }),
      shared.run(async () => {}, { principal: C }),
    ]
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(yielded).toBe(false)
    stop.resolve()
    await Promise.all([long, ...others])
  })
})

describe('places that are loaded', () => {
  /** A scheduler whose turns have lasted for a slice as soon as they begin, and of whose two places so many are loaded. */
  function loading(places: number) {
    const ledger = new UsageLedger()
    const loaded = { places, isLoading: places < 2 }
    const shared = scheduler({ ledger, places: 2, maxQueue: 9, sliceMs: 0, loaded: () => loaded })
    return { ledger, loaded, shared }
  }

  /** Work whose turns last until they have to yield, or until it may end. */
  function longWork(shared: FairScheduler, principal?: Principal) {
    const mayEnd = Promise.withResolvers<void>()
    let turns = 0
    const end = shared.run(
      ({ yielding }) => {
        turns += 1
        const yielded = new Promise<never>((_, reject) => {
          yielding.addEventListener('abort', () => reject(yielding.reason))
        })
        return Promise.race([yielded, mayEnd.promise.then(() => turns)])
      },
      { principal },
    )
    return {
      turns: () => turns,
      end: () => {
        mayEnd.resolve()
        return end
      },
    }
  }

  test('are not waited for where a long turn can yield; it leaves the last one to others until all are loaded', async () => {
    const { ledger, loaded, shared } = loading(1)
    ledger.charge(A, 'threadSeconds', 9)
    const long = longWork(shared, A)
    await settled()
    expect(await shared.run(async () => 'short', { principal: B })).toBe('short')
    expect([long.turns(), shared.active, shared.waiting]).toEqual([1, 0, 1])
    expect(await shared.run(async () => 'next', { principal: C })).toBe('next')
    expect([long.turns(), shared.active, shared.waiting]).toEqual([1, 0, 1])
    loaded.isLoading = false
    shared.refill()
    expect(await long.end()).toBe(2)
  })

  test('have work that had to yield before it began begin once', async () => {
    const { ledger, loaded, shared } = loading(1)
    ledger.charge(A, 'threadSeconds', 9)
    const late = longWork(shared, A)
    expect(await shared.run(async () => 'short', { principal: B })).toBe('short')
    expect(late.turns()).toBe(0)
    loaded.isLoading = false
    shared.refill()
    expect(await late.end()).toBe(1)
  })

  test('are not needed for a refusal: what waits for them waits beside the queue', async () => {
    const { loaded, shared } = loading(0)
    const waiting = Array.from({ length: 11 }, () => shared.run(async () => 'done'))
    await expect(shared.acquire(B)).rejects.toThrow('all')
    loaded.places = 2
    shared.refill()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['done']))
    expect([shared.active, shared.waiting]).toEqual([0, 0])
  })

  test('that never load fail what waits for them', async () => {
    const { shared } = loading(0)
    const waiting = [shared.run(async () => 1, { principal: A }), shared.acquire(B)]
    shared.rejectWaiting(new Error('broken'))
    for (const each of waiting) await expect(each).rejects.toThrow('broken')
    expect(shared.waiting).toBe(0)
  })

  test('long turns yield to work that had to yield itself after twice the time that it lasted', async () => {
    let now = 0
    const ledger = new UsageLedger()
    const shared = scheduler({ ledger, maxQueue: 9, sliceMs: 1_000, now: () => now })
    const first = longWork(shared, A)
    await settled()
    now = 3_000
    const second = longWork(shared, B)
    await settled()
    expect([first.turns(), second.turns()]).toEqual([1, 1])
    ledger.charge(B, 'threadSeconds', 100)
    for (now of [4_001, 8_999]) {
      shared.refill()
      await settled()
    }
    expect([first.turns(), second.turns()]).toEqual([1, 1])
    now = 9_000
    shared.refill()
    await settled()
    expect([first.turns(), second.turns()]).toEqual([2, 1])
    // A new client waits for a slice only.
    now = 10_000
    expect(await shared.run(async () => 'short', { principal: C })).toBe('short')
    expect([await first.end(), await second.end()]).toEqual([3, 2])
  })
})

describe('bytes', () => {
  test('one client holds a sixteenth, and large reservations leave a part to small ones', () => {
    const ledger = new UsageLedger()
    const MiB = 2 ** 20
    const budget = new MemoryBudget(ledger, 64 * MiB)
    const greedy = budget.reserve(A, 'uploads')
    greedy.add(4 * MiB)
    expect(() => greedy.add(1)).toThrow('uploads')
    expect(() => budget.reserve(A, 'uploads').add(1)).toThrow('uploads')
    expect(ledger.currentLevel(A, 'bytes')).toBe(4 * MiB)
    const ours = budget.reserve(undefined, 'uploads')
    ours.add(52 * MiB)
    expect(() => budget.reserve(B, 'uploads').add(300 * 1024)).toThrow('uploads')
    const small = budget.reserve(B, 'uploads')
    small.add(200 * 1024)
    for (const each of [greedy, ours, small]) each.release()
    expect(ledger.currentLevel(A, 'bytes')).toBe(0)
    budget.reserve(B, 'uploads').add(4 * MiB)
  })
})
