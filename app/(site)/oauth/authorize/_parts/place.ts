/** Where an application's answers go, in words. @param redirectUri A registered address. */
export function placeOf(redirectUri: string): string {
  const { protocol, hostname } = new URL(redirectUri)
  if (protocol === 'https:') return hostname
  return protocol === 'http:' ? 'a program on your machine' : `the application that opens ${protocol}//`
}
