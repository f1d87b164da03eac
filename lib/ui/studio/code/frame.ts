/** What stands around a body: the author writes the inside only, but sees what it is the inside of. */
export const FRAMES = {
  transformation: {
    open: (name: string) =>
      `function ${name || 'transformation'}(uint32 x, uint32[] calldata args) view returns (uint32) {`,
    close: '}',
    given: 'x is the value so far, args are the numbers given with the call. Return the next value.',
  },
  condition: {
    open: (name: string) => `function ${name || 'condition'}(int32[] calldata args) view returns (bool) {`,
    close: '}',
    given: 'args are the numbers given with the condition. Return whether the connector may run.',
  },
} as const

export type CodeKind = keyof typeof FRAMES
