type Handler = (request: Request) => Promise<Response>

/**
 * The exports of a route file that pass every method to one handler. All seven are needed: Next answers a method that
 * is not exported by itself, and derives HEAD from GET.
 */
export function everyMethodOf(handler: Handler) {
  // Next passes the parameters of the path as a second argument, which a dispatcher must not take for an option.
  const handle: Handler = (request) => handler(request)
  return {
    DELETE: handle,
    GET: handle,
    HEAD: handle,
    OPTIONS: handle,
    PATCH: handle,
    POST: handle,
    PUT: handle,
  }
}
