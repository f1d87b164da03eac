import { deepEqual, equal } from 'node:assert/strict'
import { formula, test } from '../../../lib/engine/specialise/formula.ts'
import type { Term, Value } from '../../../lib/engine/specialise/value.ts'
import * as h from '../../../lib/engine/words.ts'
import { evaluate, Notation, type PartCase, read, samples } from './notation.ts'

/** The text that computes an expression, everything below written out; variables are their names in brackets. */
const FORMULAS: readonly (readonly [text: string, expected: string])[] = [
  ['ADD(a, b)', '[a]+[b]'],
  ['ADD(0..2^53-2, 1)', '[0..2^53-2]+1'],
  ['ADD(0..2^53-1, 1)', 'h.add([0..2^53-1],1)'],
  ['ADD(p, 1)', 'h.add([p],1)'],
  ['MUL(0..2^21, 0..2^31)', '[0..2^21]*[0..2^31]'],
  ['MUL(a, b)', 'h.mul([a],[b])'],
  ['MUL(0..2^53-1, 1..1)', '[0..2^53-1]*[1..1]'],
  ['SUB(10..20, 0..10)', '[10..20]-[0..10]'],
  ['SUB(9..20, 0..10)', 'h.sub([9..20],[0..10])'],
  ['SUB(p, q)', 'h.sub([p],[q])'],
  ['DIV(a, b)', '[a]/[b]>>>0'],
  ['DIV(a, 3)', '[a]/3>>>0'],
  ['DIV(0..2^32, 3)', 'Math.floor([0..2^32]/3)'],
  ['DIV(0..2^32, a)', 'h.div([0..2^32],[a])'],
  ['DIV(a, 0..2^32)', 'h.div([a],[0..2^32])'],
  ['DIV(0..2^52-1, 3)', 'Math.floor([0..2^52-1]/3)'],
  ['DIV(0..2^52, 3)', 'h.div([0..2^52],3)'],
  ['MOD(a, 3)', '([a]>>>0)%3'],
  ['MOD(a, b)', '([a]>>>0)%([b]>>>0)>>>0'],
  ['MOD(a, 1..9)', '([a]>>>0)%([1..9]>>>0)'],
  ['MOD(0..2^32, 3)', '([0..2^32]<=4294967295?([0..2^32]>>>0)%3:[0..2^32]-Math.floor([0..2^32]/3)*3)'],
  [
    'MOD(0..2^40, 4294967296..4294967299)',
    '[0..2^40]-Math.floor([0..2^40]/[4294967296..4294967299])*[4294967296..4294967299]',
  ],
  ['MOD(0..2^52-1, 4294967297)', '[0..2^52-1]-Math.floor([0..2^52-1]/4294967297)*4294967297'],
  ['MOD(0..2^52, 4294967297)', 'h.mod([0..2^52],4294967297)'],
  ['MOD(0..2^32, b)', 'h.mod([0..2^32],[b])'],
  ['AND(a, p)', 'h.and([a],[p])'],
  ['AND(a, b)', '([a]&[b])>>>0'],
  ['AND(0..2^40, b)', '([0..2^40]&[b])>>>0'],
  ['AND(b, 0..2^40)', '([b]&[0..2^40])>>>0'],
  ['AND(0..2^40, 0..2^41)', 'h.and([0..2^40],[0..2^41])'],
  ['OR(a, b)', '([a]|[b])>>>0'],
  ['OR(a, 0..2^32)', 'h.or([a],[0..2^32])'],
  ['XOR(a, b)', '([a]^[b])>>>0'],
  ['XOR(a, 0..2^32)', 'h.xor([a],[0..2^32])'],
  ['NOT(a)', 'h.not([a])'],
  ['SHL(3, a)', '[a]*8'],
  ['SHL(21, a)', '[a]*2097152'],
  ['SHL(22, a)', 'h.shl(22,[a])'],
  ['SHL(52, t)', '[t]*4503599627370496'],
  ['SHL(53, t)', 'h.shl(53,[t])'],
  ['SHL(0..0, 0..2^53-1)', '[0..2^53-1]*(1<<[0..0])'],
  ['SHL(0..21, a)', '[a]*(1<<[0..21])'],
  ['SHL(0..22, a)', 'h.shl([0..22],[a])'],
  ['SHL(0..30, t)', '[t]*(1<<[0..30])'],
  ['SHL(0..31, t)', 'h.shl([0..31],[t])'],
  ['SHR(3, a)', '[a]>>>3'],
  ['SHR(0..31, a)', '[a]>>>[0..31]'],
  ['SHR(3, 0..2^40)', 'Math.floor([0..2^40]/8)'],
  ['SHR(0..3, 0..2^40)', 'h.shr([0..3],[0..2^40])'],
  ['SHR(3, p)', 'h.shr(3,[p])'],
  // Comparisons.
  ['LT(a, b)', '([a]<[b]?1:0)'],
  ['GT(a, b)', '([a]>[b]?1:0)'],
  ['EQ(a, b)', '([a]===[b]?1:0)'],
  ['ISZERO(a)', '([a]===0?1:0)'],
  ['ISZERO(LT(a, b))', '([a]>=[b]?1:0)'],
  ['ISZERO(GT(a, b))', '([a]<=[b]?1:0)'],
  ['ISZERO(EQ(a, b))', '([a]!==[b]?1:0)'],
  ['ISZERO(AND(LT(a, b), LT(b, c)))', '(([a]>=[b]||[b]>=[c])?1:0)'],
  ['ISZERO(OR(LT(a, b), LT(b, c)))', '(([a]>=[b]&&[b]>=[c])?1:0)'],
  ['ISZERO(AND(a, b))', '(([a]&[b])>>>0===0?1:0)'],
  ['ISZERO(AND(t, 0..2))', '(([t]&[0..2])>>>0===0?1:0)'],
  ['LT(p, b)', '([p]<[b]?1:0)'],
  // Beside a safe number a sum or a product may be rounded.
  ['LT(MUL(a, b), c)', '(([a]*[b])<[c]?1:0)'],
  ['LT(c, MUL(a, b))', '([c]<([a]*[b])?1:0)'],
  ['LT(ADD(0..2^53-1, 0..9), c)', '(([0..2^53-1]+[0..9])<[c]?1:0)'],
  ['LT(MUL(a, b), 0..2^53-2)', '(([a]*[b])<[0..2^53-2]?1:0)'],
  ['LT(MUL(a, b), 0..2^53-1)', '(h.mul([a],[b])<[0..2^53-1]?1:0)'],
  ['LT(MUL(p, b), c)', '(h.mul([p],[b])<[c]?1:0)'],
  ['LT(MUL(b, p), c)', '(h.mul([b],[p])<[c]?1:0)'],
  ['LT(SUB(a, b), c)', '(h.sub([a],[b])<[c]?1:0)'],
  // Low bits of what may be large.
  ['AND(ADD(p, a), 2^32-1)', 'h.and(h.add([p],[a]),4294967295)'],
  ['AND(ADD(MUL(a, b), c), 2^32-1)', '((Math.imul(([a]),([b]))|0)+(([c])|0)|0)>>>0'],
  ['AND(MUL(a, b), 2^32-1)', 'Math.imul(([a]),([b]))>>>0'],
  ['AND(MUL(a, b), 2^31-1)', 'Math.imul(([a]),([b]))&2147483647'],
  ['AND(MUL(a, b), 2^31)', '(Math.imul(([a]),([b]))&2147483648)>>>0'],
  ['AND(MUL(a, b), 2^32)', 'h.and(h.mul([a],[b]),4294967296)'],
  ['AND(SUB(a, b), 2^32-1)', '((([a])|0)-(([b])|0)|0)>>>0'],
  ['AND(SHL(5, MUL(a, b)), 2^32-1)', '(Math.imul(([a]),([b]))<<5)>>>0'],
  ['AND(SHL(31, MUL(a, b)), 2^32-1)', '(Math.imul(([a]),([b]))<<31)>>>0'],
  ['AND(SHL(32, MUL(a, b)), 2^32-1)', '0>>>0'],
  ['AND(SHL(c, MUL(a, b)), 2^32-1)', 'h.and(h.shl([c],h.mul([a],[b])),4294967295)'],
  ['AND(MUL(a, 2^256-3), 2^32-1)', 'Math.imul(([a]),-3)>>>0'],
  ['AND(DIV(p, q), 2^32-1)', 'h.and(h.div([p],[q]),4294967295)'],
  ['AND(DIV(0..2^40, 3), 2^32-1)', '(Math.floor([0..2^40]/3))>>>0'],
  ['AND(MUL(ADD(a, b), c), 2^32-1)', 'Math.imul(((([a])|0)+(([b])|0)|0),([c]))>>>0'],
  ['AND(MUL(MUL(ADD(a, b), c), d), 2^32-1)', 'Math.imul(Math.imul(([a]+[b]),([c])),([d]))>>>0'],
  [
    'AND(ADD(MUL(a, b), MUL(0..9, 0..2^31)), 2^32-1)',
    '((Math.imul(([a]),([b]))|0)+(Math.imul(([0..9]),([0..2^31]))|0)|0)>>>0',
  ],
  // Tables.
  ['EXP(3, 0..3)', '[T][[0..3]]'],
  ['EXP(3, 1..3)', '[T][[1..3]-1]'],
  ['EXP(p, q)', 'h.exp([p],[q])'],
  ['ADDMOD(p, q, 7)', 'h.addmod([p],[q],7)'],
  ['SIGNEXTEND(3, a)', 'h.signextend(3,[a])'],
]

function textOf(notation: Notation, term: Term): string {
  const scope = {
    facts: notation.facts,
    value: (value: Value): string => {
      if (value.kind === 'constant')
        return typeof value.word === 'number' ? `${value.word}` : `${value.word}n`
      if (value.kind !== 'term') throw new Error('No word')
      return value.op === 'VARIABLE' ? `[${notation.show(value)}]` : formula(value, scope)
    },
    isReady: ({ op }: Term) => op === 'VARIABLE',
    table: () => '[T]',
  }
  return formula(term, scope)
}

/** What such a text comes to. */
function resultOf(text: string, values: ReadonlyMap<string, bigint>, entries: readonly h.Word[]): h.Word {
  const names = [...values.keys()]
  const script = text
    .replaceAll('[T]', 'T')
    .replace(/\[([^[\]]+)\]/g, (whole, name: string) =>
      values.has(name) ? ` v${names.indexOf(name)} ` : whole,
    )
  const run = new Function('h', 'T', ...names.map((_, i) => `v${i}`), `return ${script}`)
  return run(h, entries, ...names.map((name) => h.word(values.get(name)!))) as h.Word
}

export const formulaCases: readonly PartCase[] = [
  ...FORMULAS.map(([text, expected]) => ({
    title: `${text} is computed by ${expected}`,
    check: () => {
      const expression = read(text)
      const notation = new Notation()
      const term = notation.value(expression)
      if (term.kind !== 'term') throw new Error(`${text} is simpler than that`)
      const found = textOf(notation, term)
      equal(found, expected)
      const entries = (term.entries ?? []).map((entry) => (entry.kind === 'constant' ? entry.word : 0))
      for (const values of samples(expression)) {
        deepEqual(resultOf(found, values, entries), evaluate(expression, values), String([...values]))
      }
    },
  })),
  {
    title: 'a condition that is known already is not computed again',
    check: () => {
      const notation = new Notation()
      const scope = {
        facts: notation.facts,
        value: () => 'known',
        isReady: () => true,
        table: () => '',
      }
      equal(test(notation.value('LT(a, b)'), true, scope), 'known!==0')
      equal(test(notation.value('LT(a, b)'), false, scope), 'known===0')
    },
  },
  {
    title: 'conditions are written out so deep, and no deeper',
    check: () => {
      const notation = new Notation()
      const scope = {
        facts: notation.facts,
        value: (value: Value) => (value.kind === 'term' && value.op !== 'VARIABLE' ? 'deeper' : 'v'),
        isReady: ({ op }: Term) => op === 'VARIABLE',
        table: () => '',
      }
      const nested = (depth: number): string =>
        depth === 0 ? 'LT(a, b)' : `OR(${nested(depth - 1)}, 0..1${"'".repeat(depth)})`
      equal(test(notation.value(nested(3)), true, scope).includes('deeper'), false)
      equal(test(notation.value(nested(4)), true, scope).includes('deeper'), true)
    },
  },
]
