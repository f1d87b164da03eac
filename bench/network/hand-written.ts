class Panic extends Error {}

type Loop = (start: number, target: Uint32Array) => void

/** Bodies of `shapes.ts` as a JavaScript programmer would write them, reverts and all: one loop each. */
const HAND_WRITTEN: Readonly<Record<string, Loop>> = {
  Add: (start, target) => {
    let x = start
    target[0] = x
    for (let i = 1; i < target.length; i++) {
      x += 7
      if (x > 0xffff_ffff) throw new Panic()
      target[i] = x
    }
  },
  Lcg: (start, target) => {
    let x = start
    target[0] = x
    for (let i = 1; i < target.length; i++) {
      x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0
      target[i] = x
    }
  },
  Xorshift: (start, target) => {
    let x = start
    target[0] = x
    for (let i = 1; i < target.length; i++) {
      x ^= x << 13
      x ^= x >>> 17
      x ^= x << 5
      x = (x + 1) >>> 0
      target[i] = x
    }
  },
  Branch: (start, target) => {
    let x = start
    target[0] = x
    for (let i = 1; i < target.length; i++) {
      x = (x & 1) === 0 ? x >>> 1 : (x * 3 + 5) >>> 0
      target[i] = x
    }
  },
}

/** C4 of `shapes.ts` written out: the four loops, and nothing that a connector could leave open. */
export function handWrittenC4(starts: readonly number[], count: number): Uint32Array[] {
  return ['Add', 'Lcg', 'Xorshift', 'Branch'].map((name, i) => {
    const target = new Uint32Array(count)
    HAND_WRITTEN[name]!(starts[i]!, target)
    return target
  })
}
