const MAX_CHARACTERS = 254

/**
 * Whether text is an e-mail address as they are in use: ASCII, unquoted, with a domain of at least two labels. It
 * contains nothing that separates addresses, ends a header or a command.
 */
export function isEmailAddress(text: string): boolean {
  return (
    text.length <= MAX_CHARACTERS &&
    /^[A-Za-z0-9_+-][A-Za-z0-9._+'&=-]{0,63}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/.test(
      text,
    ) &&
    !text.includes('..') &&
    !text.includes('.@')
  )
}
