import { Failure } from '../domain/failure.ts'

export interface SignInOrigin {
  /** For instance `https://weft.example`. */
  readonly origin: string
  /** Host and port: what EIP-4361 calls the domain. */
  readonly domain: string
}

/**
 * The page a person signs in to: the browser's `Origin` header, or what the client claims where there is none.
 *
 * @throws Failure('invalid_request') for none, or for text that is no origin.
 * @throws Failure('forbidden') for an origin that is not one of `allowed`.
 */
export function signInOrigin(
  allowed: readonly string[],
  header: string | undefined,
  claimed: string | undefined,
): SignInOrigin {
  const text = header ?? claimed
  if (text === undefined) {
    throw new Failure('invalid_request', 'Send an Origin header, or app_origin where there is none')
  }
  // What browsers send for a sandboxed page.
  if (text === 'null') throw notAllowed()
  const url = URL.parse(text)
  const plain =
    url !== null &&
    (url.pathname === '/' || url.pathname === '') &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === ''
  if (!plain)
    throw new Failure('invalid_request', 'Expected an origin like https://weft.example, without a path')
  if (!allowed.includes(url.origin)) throw notAllowed()
  return { origin: url.origin, domain: url.host }
}

function notAllowed(): Failure {
  return new Failure('forbidden', 'This server does not let people sign in from that origin')
}
