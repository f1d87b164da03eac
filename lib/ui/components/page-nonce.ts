/**
 * The nonce of the page's policy, for libraries that write their own `style` elements; undefined where there is none.
 * Scripts can read it only as this property, never through a style sheet.
 */
export function pageNonce(): string | undefined {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce || undefined
}
