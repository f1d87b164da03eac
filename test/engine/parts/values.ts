import { deepEqual, equal, notEqual, throws } from 'node:assert/strict'
import type { Range } from '../../../lib/engine/ranges.ts'
import { emit } from '../../../lib/engine/specialise/emit.ts'
import { edgesOf, type Node, neededTerms, shapeOf } from '../../../lib/engine/specialise/graph.ts'
import { FRESH, write } from '../../../lib/engine/specialise/memory.ts'
import { type State, sameState, Variables } from '../../../lib/engine/specialise/state.ts'
import {
  constant,
  Effort,
  hull,
  identity,
  meet,
  pointer,
  rangeOf,
  sameValue,
  Terms,
  Unspecialised,
  type Value,
  WILD,
  widen,
} from '../../../lib/engine/specialise/value.ts'
import { Notation, type PartCase } from './notation.ts'

function range(low: bigint | number, high: bigint | number): Range {
  return { low: BigInt(low), high: BigInt(high) }
}

function stateOf(stack: readonly Value[], facts: State['facts'] = new Map(), memory = FRESH): State {
  return { stack, memory, facts }
}

const STEPS = [
  1n,
  0xffn,
  0xffffn,
  0x7fff_ffffn,
  0xffff_ffffn,
  2n ** 53n - 1n,
  2n ** 64n - 1n,
  2n ** 256n - 1n,
]

/** Blocks and the ways between them, by number; a block without ways returns. */
function graphOf(ways: readonly (readonly number[])[]): readonly Node[] {
  const notation = new Notation()
  const condition = notation.value('LT(a, b)')
  if (condition.kind !== 'term') throw new Error('No term')
  const state = stateOf([])
  const nodes = ways.map(
    (_, id): Node => ({
      id,
      pc: id,
      place: String(id),
      turns: [],
      parent: undefined,
      depth: id,
      variables: new Variables(notation.algebra),
      arrivals: new Map(),
      visits: 1,
      entry: state,
      facts: new Map(),
    }),
  )
  for (const [id, to] of ways.entries()) {
    const [then, otherwise] = to.map((one) => ({ to: nodes[one]!, state }))
    nodes[id]!.exit =
      then === undefined
        ? { kind: 'returned', value: constant(id) }
        : otherwise === undefined
          ? { kind: 'jump', edge: then, decided: false }
          : { kind: 'branch', condition, then, otherwise }
  }
  return nodes
}

function shape(ways: readonly (readonly number[])[]) {
  const nodes = graphOf(ways)
  const { children, meetings, loops, order } = shapeOf(nodes[0]!)
  return {
    children: nodes.map((node) => [...(children.get(node) ?? [])].map(({ id }) => id).sort()),
    meetings: [...meetings].map(({ id }) => id).sort(),
    loops: [...loops].map(([{ id }, size]) => [id, size]),
    sorted: [...order].sort(([, a], [, b]) => a - b).map(([{ id }]) => id),
  }
}

export const valueCases: readonly PartCase[] = [
  {
    title: 'bounds that grow settle on few steps',
    check: () => {
      for (const [i, step] of STEPS.entries()) {
        const before = STEPS[i - 1] ?? 0n
        deepEqual(widen(range(0, 0), range(0, step)), range(0, step))
        deepEqual(widen(range(0, 0), range(0, before + 1n)), range(0, step))
      }
      deepEqual(widen(range(5, 9), range(5, 9)), range(5, 9))
      deepEqual(widen(range(5, 9), range(4, 9)), range(0, 9))
      deepEqual(widen(range(5, 9), range(6, 8)), range(6, 8))
      deepEqual(meet(range(1, 5), range(3, 9)), range(3, 5))
      deepEqual(hull(range(1, 5), range(3, 9)), range(1, 9))
    },
  },
  {
    title: 'addresses have bounds',
    check: () => {
      equal(pointer('memory', 2 ** 31).kind, 'pointer')
      equal(pointer('memory', -(2 ** 31)).kind, 'pointer')
      for (const far of [2 ** 31 + 1, -(2 ** 31) - 1, 0.5, Number.NaN]) {
        throws(() => pointer('memory', far), Unspecialised)
      }
    },
  },
  {
    title: 'values are equal when they are the same at run time',
    check: () => {
      const terms = new Terms()
      const [a, b] = [terms.fresh('VARIABLE', [], range(0, 9)), terms.fresh('VARIABLE', [], range(0, 9))]
      const all: Value[] = [
        constant(0),
        constant(1),
        constant(2n ** 60n),
        pointer('memory', 0),
        pointer('memory', 1),
        pointer('arguments', 0),
        pointer('memory', 0, a),
        pointer('memory', 0, b),
        a,
        b,
        { kind: 'frame', slot: 0 },
        { kind: 'frame', slot: 1 },
        { kind: 'partial', word: constant(1), bytes: 4 },
        { kind: 'partial', word: constant(1), bytes: 5 },
        { kind: 'partial', word: constant(2), bytes: 4 },
      ]
      for (const [i, one] of all.entries()) {
        for (const [k, other] of all.entries()) {
          const copy = other.kind === 'term' ? other : { ...other }
          equal(sameValue(one, copy), i === k, `${identity(one)} and ${identity(other)}`)
          equal(identity(one) === identity(other), i === k)
        }
      }
      equal(sameValue(constant(7, true), constant(7)), true)
      equal(terms.make('ADD', [a, b], range(0, 9)), terms.make('ADD', [a, b], range(0, 9)))
      notEqual(terms.make('ADD', [a, b], range(0, 9)), terms.make('ADD', [b, a], range(0, 9)))
      notEqual(
        terms.make('TABLE', [a], range(0, 9), [constant(1)]),
        terms.make('TABLE', [a], range(0, 9), [constant(2)]),
      )
      deepEqual(rangeOf(a, new Map([[a.id, range(2, 3)]])), range(2, 3))
      deepEqual(rangeOf(constant(5), new Map()), range(5, 5))
      for (const unknown of [WILD, pointer('memory', 0), all[10]!, all[12]!]) {
        throws(() => rangeOf(unknown, new Map()), Unspecialised)
      }
    },
  },
  {
    title: 'what differs between the ways into a block becomes a variable',
    check: () => {
      const { algebra } = new Notation()
      const variables = new Variables(algebra)
      const states = [
        stateOf([constant(1), constant(5), constant(1), pointer('memory', 32)]),
        stateOf([constant(4), constant(5), constant(4), pointer('memory', 96)]),
      ]
      const joined = variables.join(states, false)
      const [first, same, twin, address] = joined.stack as [Value, Value, Value, Value]
      equal(first.kind, 'term')
      deepEqual(rangeOf(first, joined.facts), range(1, 4))
      deepEqual(same, constant(5))
      // Slots that always hold the same share a variable.
      equal(twin, first)
      equal(address.kind === 'pointer' && address.offset, 32)
      deepEqual([...variables.bySlot.keys()], ['s0', 's3'])
      deepEqual(variables.valueFrom(states[1]!, 's0'), constant(4))
      // Places on a grid: the second is one unit further.
      deepEqual(variables.valueFrom(states[0]!, 's3'), constant(0))
      deepEqual(variables.valueFrom(states[1]!, 's3'), constant(1))
      // One way alone is taken as it is.
      const alone = new Variables(algebra)
      equal(alone.join([states[0]!], false), states[0])
    },
  },
  {
    title: 'variables of a loop widen until they settle',
    check: () => {
      const { algebra } = new Notation()
      const variables = new Variables(algebra)
      const joined = (high: number, loosely: boolean) => {
        const state = variables.join([stateOf([constant(0)]), stateOf([constant(high)])], loosely)
        return rangeOf(state.stack[0]!, state.facts)
      }
      deepEqual(joined(1, false), range(0, 1))
      deepEqual(joined(2, false), range(0, 2))
      deepEqual(joined(3, true), range(0, 255))
      deepEqual(joined(2, true), range(0, 255))
      // Once a variable, it stays one, though only one way is left.
      const one = variables.join([stateOf([constant(9)])], false)
      deepEqual(one.stack, [constant(9)])
    },
  },
  {
    title: 'addresses that have no grid in common may be carried, not used',
    check: () => {
      const { algebra } = new Notation()
      const join = (...values: Value[]) =>
        new Variables(algebra).join(
          values.map((value) => stateOf([value])),
          false,
        ).stack[0]
      deepEqual(join(pointer('memory', 0), pointer('arguments', 0)), WILD)
      deepEqual(join(pointer('memory', 0), constant(1)), WILD)
      deepEqual(join({ kind: 'frame', slot: 0 }, constant(1)), WILD)
      deepEqual(join(WILD, WILD), WILD)
      const index = algebra.terms.fresh('VARIABLE', [], range(0, 9))
      deepEqual(join(pointer('memory', 0, index), pointer('memory', 32)), WILD)
      const grid = (...offsets: number[]) => {
        const variables = new Variables(algebra)
        const states = offsets.map((offset) => stateOf([pointer('memory', offset)]))
        const state = variables.join(states, false)
        const value = state.stack[0]!
        return [
          value.kind === 'pointer' && value.offset,
          ...states.map((one) => variables.valueFrom(one, 's0')),
        ]
      }
      deepEqual(grid(64, 32, 128), [32, constant(1), constant(0), constant(3)])
      deepEqual(grid(7, 19, 13), [7, constant(0), constant(2), constant(1)])
    },
  },
  {
    title: 'memory and facts that are common to all ways remain',
    check: () => {
      const { algebra } = new Notation()
      const a = algebra.terms.fresh('VARIABLE', [], range(0, 99))
      const b = algebra.terms.fresh('VARIABLE', [], range(0, 99))
      const both = write(FRESH, { space: 'free', start: 0 }, 32, constant(7))
      const more = write(both, { space: 'free', start: 64 }, 32, constant(8))
      const joined = new Variables(algebra).join(
        [
          stateOf(
            [constant(1)],
            new Map([
              [a.id, range(1, 5)],
              [b.id, range(1, 5)],
            ]),
            both,
          ),
          stateOf([constant(2)], new Map([[a.id, range(3, 9)]]), more),
        ],
        false,
      )
      deepEqual(
        joined.memory.free.map(({ start, end, word }) => [start, end, word]),
        [[0, 32, constant(7)]],
      )
      deepEqual(joined.memory.scratch, FRESH.scratch)
      deepEqual(joined.facts.get(a.id), range(1, 9))
      equal(joined.facts.has(b.id), false)
    },
  },
  {
    title: 'states are equal in every part',
    check: () => {
      const facts = new Map([[1, range(0, 9)]])
      const memory = write(FRESH, { space: 'free', start: 0 }, 32, constant(7))
      const state = stateOf([constant(1), WILD], facts, memory)
      equal(
        sameState(
          state,
          stateOf(
            [constant(1), WILD],
            new Map(facts),
            write(FRESH, { space: 'free', start: 0 }, 32, constant(7)),
          ),
        ),
        true,
      )
      const others = [
        stateOf([constant(2), WILD], facts, memory),
        stateOf([constant(1)], facts, memory),
        stateOf([constant(1), constant(1)], facts, memory),
        stateOf([constant(1), WILD], new Map(), memory),
        stateOf([constant(1), WILD], new Map([[2, range(0, 9)]]), memory),
        stateOf([constant(1), WILD], new Map([[1, range(1, 9)]]), memory),
        stateOf([constant(1), WILD], new Map([[1, range(0, 8)]]), memory),
        stateOf([constant(1), WILD], facts, FRESH),
        stateOf([constant(1), WILD], facts, write(FRESH, { space: 'free', start: 0 }, 32, constant(8))),
        stateOf([constant(1), WILD], facts, write(FRESH, { space: 'free', start: 1 }, 32, constant(7))),
        stateOf([constant(1), WILD], facts, write(FRESH, { space: 'free', start: 0 }, 31, constant(7))),
        stateOf([constant(1), WILD], facts, write(memory, { space: 'scratch', start: 0 }, 32, constant(7))),
      ]
      for (const [i, other] of others.entries()) equal(sameState(state, other), false, `state ${i}`)
    },
  },
  {
    title: 'blocks in the shape of a program',
    check: () => {
      deepEqual(shape([[1, 2], [3], [3], []]), {
        children: [[1, 2, 3], [], [], []],
        meetings: [3],
        loops: [],
        sorted: [0, 1, 2, 3],
      })
      // A loop of three blocks, one of which leaves it.
      deepEqual(shape([[1], [2, 3], [1], []]), {
        children: [[1], [2, 3], [], []],
        meetings: [],
        loops: [[1, 2]],
        sorted: [0, 1, 2, 3],
      })
      deepEqual(shape([[1], [2], [3, 4], [1], []]).loops, [[1, 3]])
      deepEqual(shape([[0, 1], []]).loops, [[0, 1]])
      // Loops in each other.
      deepEqual(shape([[1], [2, 5], [3], [2, 4], [1], []]).loops, [
        [1, 4],
        [2, 2],
      ])
      deepEqual(shape([[1, 2], [3, 4], [4, 5], [6], [6], [6], []]).children, [
        [1, 2, 4, 6],
        [3],
        [5],
        [],
        [],
        [],
        [],
      ])
      throws(() => shape([[1, 2], [2, 3], [1], []]), Unspecialised)
      throws(() => shape([[1, 2], [2], [1, 3], []]), Unspecialised)
    },
  },
  {
    title: 'terms are needed where something depends on them',
    check: () => {
      const nodes = graphOf([[1, 2], [], []])
      const needed = [...neededTerms(nodes)].map(({ op }) => op)
      deepEqual(needed.sort(), ['LT', 'VARIABLE', 'VARIABLE'])
      deepEqual([...neededTerms(graphOf([[1], []]))], [])
      deepEqual(edgesOf(undefined), [])
      equal(edgesOf(nodes[0]!.exit).length, 2)
      equal(edgesOf(nodes[1]!.exit).length, 0)
    },
  },
  {
    title: 'effort is spent to the last, and no further',
    check: () => {
      const effort = new Effort(10)
      effort.spend(10)
      throws(() => effort.spend(1), Unspecialised)
    },
  },
  {
    title: 'a program is a function of x',
    check: () => {
      const [node] = graphOf([[]])
      const { x } = new Notation().algebra
      equal(emit(node!, x, []), '(x,budget)=>{\nx=x>>>0\nreturn 0\n}')
    },
  },
]
