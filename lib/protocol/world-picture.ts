/** The largest picture of a World that its owner can store as its preview: pixels of a side, bytes of the PNG. */
export const WORLD_PICTURE = { side: 1200, bytes: 2 * 1024 * 1024 } as const
