import { expect, test } from 'vitest'
import { readKnobs, withKnobs, withKnobsOf } from '#lib/ui/components/knob-query.ts'

const PAGE = 'https://weft.example/connectors/weave'
const KNOBS = [
  { name: 'bounce 2', min: 0, max: 78 },
  { name: 'a:b', min: 1, max: 4_294_967_295 },
]

test('what an address turns is what it was made from', () => {
  const turned = [
    { name: 'bounce 2', value: 12 },
    { name: 'a:b', value: 4_294_967_295 },
  ]
  const address = withKnobs(`${PAGE}?used_after=x&knob=old:1`, turned)
  expect(address).toBe(`${PAGE}?used_after=x&knob=bounce+2%3A12&knob=a%3Ab%3A4294967295`)
  const read = readKnobs(new URL(address).search, KNOBS)
  expect(read.map(({ knob: { name }, value }) => ({ name, value }))).toEqual(turned)
  expect(withKnobs(address, [])).toBe(`${PAGE}?used_after=x`)
  expect(withKnobsOf(PAGE, new URL(address).search)).toBe(withKnobs(PAGE, turned))
})

test.each(['other:1', 'bounce 2:79', 'bounce 2:-1', 'bounce 2:', 'bounce 2:1e1', '12', ':', '__proto__:1'])(
  '%s turns nothing',
  (text) => {
    expect(readKnobs(`?${new URLSearchParams({ knob: text })}`, KNOBS)).toEqual([])
  },
)
