/** Links inside text: ink with a thread of accent beneath. */
export const textLink =
  'underline decoration-accent decoration-2 underline-offset-4 transition-colors hover:text-accent'
