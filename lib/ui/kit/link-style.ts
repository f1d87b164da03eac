/** Links inside text: ink with a thread of accent beneath. */
export const textLink =
  'underline decoration-accent decoration-2 underline-offset-4 transition-colors hover:text-accent'

/** Links in lists, where every line has some: plain until pointed at or reached. */
export const quietLink =
  'decoration-accent decoration-2 underline-offset-4 transition-colors hover:text-accent hover:underline focus-visible:underline'
