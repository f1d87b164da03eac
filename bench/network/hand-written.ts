class Panic extends Error {}

/** Bodies of `shapes.ts` as a JavaScript programmer would write them, reverts and all: one loop each. */
export const HAND_WRITTEN: Readonly<
  Record<
    string,
    { readonly args: readonly number[]; readonly run: (start: number, target: Uint32Array) => void }
  >
> = {
  Add: {
    args: [7],
    run: (start, target) => {
      let x = start
      target[0] = x
      for (let i = 1; i < target.length; i++) {
        x += 7
        if (x > 0xffff_ffff) throw new Panic()
        target[i] = x
      }
    },
  },
  Lcg: {
    args: [1_013_904_223],
    run: (start, target) => {
      let x = start
      target[0] = x
      for (let i = 1; i < target.length; i++) {
        x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0
        target[i] = x
      }
    },
  },
  Xorshift: {
    args: [1],
    run: (start, target) => {
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
  },
  Branch: {
    args: [5],
    run: (start, target) => {
      let x = start
      target[0] = x
      for (let i = 1; i < target.length; i++) {
        x = (x & 1) === 0 ? x >>> 1 : (x * 3 + 5) >>> 0
        target[i] = x
      }
    },
  },
  Rounds: {
    args: [17],
    run: (start, target) => {
      let x = start
      target[0] = x
      for (let i = 1; i < target.length; i++) {
        for (let round = 0; round < 8; round++) {
          x = (x % 65_521) * 31 + 17
          if (x > 0xffff_ffff) throw new Panic()
        }
        target[i] = x
      }
    },
  },
  Wheel: {
    args: [11, 9_973],
    run: (start, target) => {
      let x = start
      target[0] = x
      for (let i = 1; i < target.length; i++) {
        x = (x + 11) % 9_973
        target[i] = x
      }
    },
  },
}

/** C4 of `shapes.ts` written out: the four loops, and nothing that a connector could leave open. */
export function handWrittenC4(starts: readonly number[], count: number): Uint32Array[] {
  return ['Add', 'Lcg', 'Xorshift', 'Branch'].map((name, i) => {
    const target = new Uint32Array(count)
    HAND_WRITTEN[name]!.run(starts[i]!, target)
    return target
  })
}
