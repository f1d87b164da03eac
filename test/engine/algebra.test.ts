import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_WORD, type Range } from '#lib/engine/ranges.ts'
import { assume } from '#lib/engine/specialise/assume.ts'
import { formula } from '#lib/engine/specialise/formula.ts'
import { type Term, Unspecialised, type Value } from '#lib/engine/specialise/value.ts'
import * as h from '#lib/engine/words.ts'
import { type Expression, evaluate, read, Translation, type Values } from './expressions.ts'

/** Patterns of the rules of the algebra: `u`, `v` and `w` are variables, `k` and `l` numbers. */
const SHAPES = `
  ADD(v,k) ADD(v,w) SUB(v,k) SUB(k,v) SUB(v,v) SUB(v,w) MUL(v,k) MUL(v,w) EXP(v,k) EXP(2,v) EXP(3,v) EXP(k,v)
  DIV(v,k) DIV(v,w) DIV(MUL(v,w),w) DIV(MUL(v,w),v) DIV(MUL(v,k),k) DIV(MUL(v,w),u) DIV(ADD(v,k),k)
  MOD(v,k) MOD(v,w) ADDMOD(v,w,k) ADDMOD(v,k,l) MULMOD(v,w,k) MULMOD(v,k,l)
  SDIV(v,k) SDIV(v,w) SMOD(v,k) SMOD(v,w) SAR(k,v) SAR(v,w) SIGNEXTEND(k,v) SIGNEXTEND(3,v) SIGNEXTEND(v,w)
  LT(v,k) LT(k,v) LT(v,w) LT(v,v) GT(v,k) GT(v,w) SLT(v,w) SLT(v,k) SGT(v,w) SGT(k,v)
  LT(ADD(v,w),v) LT(ADD(v,w),w) GT(v,ADD(v,w)) LT(ADD(v,w),u) LT(MUL(v,w),v) LT(MUL(v,w),u) LT(u,MUL(v,w))
  LT(ADD(v,k),l) GT(ADD(v,k),l) LT(MUL(v,k),l) LT(MUL(v,v),k) GT(MUL(v,w),k) EQ(MUL(v,w),k)
  GT(SUB(v,w),v) LT(v,SUB(v,w)) GT(SUB(v,w),k) GT(SUB(v,k),l) LT(SUB(v,w),u)
  EQ(v,k) EQ(v,0) EQ(1,v) EQ(v,w) EQ(AND(v,k),v) EQ(v,AND(k,v)) EQ(AND(v,w),v) EQ(AND(v,4294967295),v)
  ISZERO(v) ISZERO(ISZERO(v)) ISZERO(LT(v,w)) ISZERO(EQ(v,w)) ISZERO(XOR(v,w)) ISZERO(SUB(v,w)) ISZERO(ADD(v,w))
  ISZERO(AND(LT(v,w),LT(w,u))) ISZERO(OR(LT(v,w),GT(w,u))) AND(LT(v,k),LT(w,l)) OR(LT(v,k),EQ(w,l)) AND(LT(v,k),w)
  OR(ISZERO(v),EQ(DIV(MUL(v,w),v),w)) OR(EQ(w,DIV(MUL(w,v),v)),ISZERO(v)) OR(ISZERO(v),EQ(DIV(MUL(v,w),v),u))
  OR(ISZERO(u),EQ(DIV(MUL(v,w),v),w)) OR(ISZERO(v),EQ(DIV(ADD(v,w),v),w)) OR(ISZERO(v),EQ(DIV(MUL(w,u),v),w))
  AND(v,k) AND(v,w) AND(v,v) AND(AND(v,k),l) OR(v,k) OR(v,1) OR(v,w) XOR(v,k) XOR(v,w) XOR(v,v) NOT(v)
  SHL(k,v) SHL(v,k) SHL(v,w) SHL(v,0) SHR(k,v) SHR(v,k) SHR(v,w) SHR(k,AND(v,l)) SHR(k,SHL(l,v)) SHR(8,SHL(12,v)) AND(SHL(5,v),480) AND(SHL(3,v),k)
  SHR(12,SHL(8,v)) SHR(k,SHL(w,v)) BYTE(k,v) BYTE(v,k) BYTE(v,w) SHR(SHL(3,v),k) SHR(MUL(8,v),k) SHR(MUL(65535,v),k)
  ADD(EXP(3,v),k) SUB(k,EXP(3,v)) MUL(EXP(3,v),EXP(3,v)) ADD(EXP(3,v),EXP(5,w)) ADD(EXP(3,v),w)
  AND(ADD(MUL(v,w),u),k) AND(SUB(v,w),k) AND(NOT(v),k) AND(SHL(k,MUL(v,w)),l) AND(XOR(SUB(v,w),SUB(w,v)),k)
  AND(OR(SUB(v,w),SUB(w,v)),k) AND(MUL(v,k),l) AND(MUL(MUL(ADD(v,w),u),w),4294967295) AND(DIV(v,w),k)
  AND(SUB(v,w),4294967295) AND(MUL(v,w),4294967295) AND(SHL(33,MUL(v,w)),255) AND(MUL(v,w),2147483648) AND(ADD(v,MUL(w,u)),4294967295)
`

/** The same with addresses: `m` and `n` of the free memory, `g` and `f` of the arguments. */
const ADDRESSES = `
  ADD(m,k) ADD(k,m) ADD(m,n) ADD(g,v) ADD(v,g) ADD(g,ADD(v,k)) ADD(g,ADD(ADD(v,k),l)) ADD(ADD(g,v),k)
  ADD(ADD(g,v),w) ADD(g,MUL(v,32)) SUB(m,k) SUB(k,m) SUB(m,v) SUB(m,n) SUB(m,g) SUB(ADD(g,v),ADD(f,v))
  SUB(ADD(g,v),ADD(f,w)) EQ(m,n) EQ(m,g) EQ(m,k) LT(m,n) GT(m,n) LT(m,k) LT(k,m) GT(m,k) GT(k,m)
  LT(ADD(g,v),ADD(f,v)) LT(ADD(g,v),ADD(f,w)) GT(ADD(m,v),0) GT(m,v) ISZERO(m) ISZERO(ADD(m,v)) AND(m,k) MUL(m,2) NOT(m)
`

function each(texts: string): string[] {
  return texts.trim().split(/\s+/)
}

/** Where rules begin or end to hold. */
const edge = fc
  .tuple(
    fc.constantFrom(
      ...[0, 1, 2, 3, 5, 8, 16, 21, 22, 30, 31, 32, 33, 40, 52, 53, 54, 64, 127, 128, 129, 255, 256],
    ),
    fc.integer({ min: -2, max: 2 }),
  )
  .map(([bits, more]) => BigInt.asUintN(256, 2n ** BigInt(bits) + BigInt(more)))
const number = fc.oneof(edge, fc.nat(300).map(BigInt), fc.bigInt({ min: 0n, max: MAX_WORD }))
const range = fc
  .tuple(fc.oneof({ weight: 3, arbitrary: fc.constant(0n) }, { weight: 1, arbitrary: number }), number)
  .map(([one, other]): Range => (one < other ? { low: one, high: other } : { low: other, high: one }))

function address(region: 'memory' | 'arguments') {
  const words = fc.integer({ min: -2, max: 9 })
  return words.map((one): Expression => ({ kind: 'address', region, offset: 32 * one }))
}
function upTo(high: bigint): Range {
  return { low: 0n, high: BigInt.asUintN(256, high) }
}
const atoms = fc
  .record({
    ...{
      u: range,
      v: range,
      w: range,
      k: number,
      l: number,
      tied: fc.constantFrom('', 'k', '-k', 'k -k', 'w'),
    },
    ...{ m: address('memory'), n: address('memory'), g: address('arguments'), f: address('arguments') },
  })
  .map(({ u, v, w, k, l, tied, ...addresses }) => {
    // Bounds that just meet.
    if (tied.startsWith('k')) v = upTo(k)
    if (tied === '-k') v = upTo(1n - k)
    if (tied === 'k -k') w = upTo(-k)
    if (tied === 'w') w = { low: v.high, high: MAX_WORD }
    const variable = (name: string, of: Range): Expression => ({ kind: 'variable', name, range: of })
    const constant = (of: bigint): Expression => ({ kind: 'number', of })
    return {
      ...{ u: variable('u', u), v: variable('v', v), w: variable('w', w), k: constant(k), l: constant(l) },
      ...addresses,
    }
  })
/** Assumption beside: none, or that a condition holds, or not. */
const assumed = fc.tuple(
  fc.constantFrom('1', ...each(SHAPES).filter((text) => /^(?:LT|GT|EQ|ISZERO|AND|OR)\(/.test(text))),
  fc.boolean(),
)

/** Values of the variables, at all their edges and in between, and places for addresses. */
function* samples(variables: Iterable<readonly [string, Range]>): Generator<Values, void> {
  let state = 1
  for (let i = 0; i < 40; i++) {
    const values = new Map([
      ['memory', 0x80n + 32n * BigInt(i * i)],
      ['arguments', 0x64n + 32n * BigInt(i)],
    ])
    for (const [place, [name, { low, high }]] of [...variables].entries()) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      const wanted = [low, high, low + 1n, high - 1n, (low + high) / 2n, low + BigInt(state), 2n ** 31n]
      const one = wanted[(i < 8 ? (i >> place) & 1 : state >>> 8) % wanted.length]!
      values.set(name, one < low ? low : one > high ? high : one)
    }
    yield values
  }
}

/** The program of a value, as a function of the variables, as it is written into a specialised step. */
function compiled(translation: Translation, term: Term): (values: Values) => h.Word {
  const names = [...translation.variables.keys()]
  const tables: h.Word[][] = []
  const text = (value: Value): string => {
    if (value.kind === 'constant') return typeof value.word === 'number' ? `${value.word}` : `${value.word}n`
    if (value.kind !== 'term') throw new Error(`No word: ${value.kind}`)
    if (value.op !== 'VARIABLE') return formula(value, scope)
    return names.find((name) => translation.variables.get(name) === value)!
  }
  const scope = {
    facts: translation.facts,
    value: (value: Value) => `(${text(value)})`,
    isReady: ({ op }: Term) => op === 'VARIABLE',
    table: ({ entries = [] }: Term) => {
      const words = entries.map((entry) => (entry.kind === 'constant' ? entry.word : expect.unreachable()))
      return `T[${tables.push(words) - 1}]`
    },
  }
  const run = new Function('h', 'T', ...names, `return ${text(term)}`)
  return (values) => run(h, tables, ...names.map((name) => h.word(values.get(name)!)))
}

function wordOf(translation: Translation, value: Value): (values: Values) => h.Word {
  if (value.kind === 'constant') return () => value.word
  if (value.kind === 'term') return compiled(translation, value)
  if (value.kind !== 'pointer') throw new Error(`No word: ${value.kind}`)
  const index = value.index === undefined ? () => 0 : compiled(translation, value.index)
  return (values) => h.wrap(values.get(value.region)! + BigInt(value.offset) + BigInt(index(values)))
}

const SHAPES_AND_ADDRESSES = [...each(SHAPES), ...each(ADDRESSES)].map(
  (shape, seed) => [shape, seed] as const,
)

test.each(SHAPES_AND_ADDRESSES)('%s is computed as its opcodes compute it', (shape, seed) => {
  let declined = 0
  const property = fc.property(atoms, assumed, (drawn, [text, holds]) => {
    const [expression, condition] = [read(shape, drawn), read(text, drawn)]
    const translation = new Translation()
    const { facts, algebra } = translation
    const isPossible = assume(translation.value(condition), holds, facts, algebra.terms)
    let value: Value
    try {
      if (isPossible) value = translation.value(expression)
    } catch (error) {
      if (!(error instanceof Unspecialised)) throw error
      declined++
      return
    }
    for (const name of ['u', 'v', 'w'] as const)
      if (drawn[name].kind === 'variable') translation.variable(name, drawn[name].range)
    const run = isPossible ? wordOf(translation, value!) : () => 0
    for (const values of samples([...translation.variables].map(([name, term]) => [name, term.range]))) {
      if ((evaluate(condition, values) !== 0) !== holds) continue
      const where = `${text} ${holds}: ${JSON.stringify([...values].map(String))}`
      expect(isPossible, where).toBe(true)
      for (const [name, { id }] of translation.variables) {
        const { low, high } = facts.get(id) ?? { low: 0n, high: MAX_WORD }
        expect(values.get(name)! >= low && values.get(name)! <= high, `${where}, ${name}`).toBe(true)
      }
      const expected = evaluate(expression, values)
      expect(run(values), where).toEqual(expected)
      if (value!.kind !== 'term') continue
      const { low, high } = facts.get(value!.id) ?? value!.range
      expect(BigInt(expected) >= low && BigInt(expected) <= high, `${where}: ${low}..${high}`).toBe(true)
    }
  })
  fc.assert(property, { seed, numRuns: 60 })
  if (!shape.match(/[mngf]/)) expect(declined).toBe(0)
})
