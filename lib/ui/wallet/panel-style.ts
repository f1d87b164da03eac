/** Where the account panel lies: over the page, so that nothing moves. */
export const panel =
  'fixed inset-x-4 top-14 z-10 rounded-lg border border-line bg-raised p-5 shadow-xl sm:absolute sm:inset-x-auto sm:top-full sm:right-0 sm:mt-2 sm:w-80'
