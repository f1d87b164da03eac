/** Thread colours by tokens of `app/globals.css`, in the order in which streams take them. */
const THREADS = ['indigo', 'madder', 'verdigris', 'weld', 'cochineal', 'walnut'] as const

/** CSS colour of the n-th stream; repeats after the last dye. */
export function threadColor(index: number): string {
  return `var(--color-${THREADS[index % THREADS.length]})`
}
