import { highlightTree, tagHighlighter, tags } from '@lezer/highlight'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diagnosticRange, textChange } from '#lib/ui/studio/code/code-text.ts'
import { solidityLanguage } from '#lib/ui/studio/code/solidity-language.ts'

const highlighter = tagHighlighter([
  { tag: tags.keyword, class: 'keyword' },
  { tag: tags.typeName, class: 'type' },
  { tag: tags.number, class: 'number' },
  { tag: tags.atom, class: 'atom' },
  { tag: tags.string, class: 'string' },
  { tag: tags.comment, class: 'comment' },
  { tag: tags.special(tags.variableName), class: 'given' },
  { tag: tags.function(tags.variableName), class: 'function' },
])

/** Coloured parts, as `class:text`. */
function coloured(text: string): string[] {
  const found: string[] = []
  highlightTree(solidityLanguage().language.parser.parse(text), highlighter, (from, to, classes) => {
    found.push(`${classes}:${text.slice(from, to)}`)
  })
  return found
}

describe('colours', () => {
  test.each<[string, string[]]>([
    ['uint32 y = x + args[0];', ['type:uint32', 'given:x', 'given:args', 'number:0']],
    ['return f(a.x);', ['keyword:return', 'function:f']],
    [
      'require(true, "no \\" x"); // x',
      ['keyword:require', 'atom:true', 'string:"no \\" x"', 'comment:// x'],
    ],
    ['/* x\n x */ x', ['comment:/* x', 'comment: x */', 'given:x']],
    ['0xff_00 1e3 1_000', ['number:0xff_00', 'number:1e3', 'number:1_000']],
    [
      'unchecked { assembly { let z := 1 } }',
      ['keyword:unchecked', 'keyword:assembly', 'keyword:let', 'number:1'],
    ],
    ['"open', ['string:"open']],
    ['xargs uint33x int256', ['type:int256']],
  ])('%s', (text, expected) => {
    expect(coloured(text)).toEqual(expected)
  })

  test('any text is read to its end', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        solidityLanguage().language.parser.parse(text)
      }),
    )
  })
})

describe('where a diagnostic is', () => {
  const at = (text: string, line: number | null, column: number | null) => {
    const { from, to } = diagnosticRange(text, { line, column, message: '' })
    return text.slice(from, to)
  }

  test('the word at its place; columns count characters', () => {
    expect(at('uint32 y;\nreturn yes + 1;', 2, 8)).toBe('yes')
    expect(at('/* 😀é */ y;', 1, 10)).toBe('y')
    expect(at('return x +;', 1, 11)).toBe(';')
  })

  test('the last character where something is missing at the end of a line', () => {
    expect(at('return x', 1, 9)).toBe('x')
  })

  test('the first line for the body as a whole', () => {
    expect(at('one\ntwo', null, null)).toBe('one')
  })

  test('inside the text, whatever the reported place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), fc.nat(50), (text, line, column) => {
        const { from, to } = diagnosticRange(text, { line, column, message: '' })
        expect(0 <= from && from <= to && to <= text.length).toBe(true)
      }),
    )
  })
})

test('a change makes one text of another', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '😀') })
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const change = textChange(before, after)
      if (change === undefined) expect(before).toBe(after)
      else {
        expect(before.slice(0, change.from) + change.insert + before.slice(change.to)).toBe(after)
      }
    }),
  )
})
