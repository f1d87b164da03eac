export interface EncodedForm {
  readonly body: Uint8Array<ArrayBuffer>
  readonly headers: { readonly 'content-type': string }
}

/**
 * A form as bytes. A `Request` made of a `FormData` ends in an unhandled rejection of Node's own when its body is
 * cancelled, which is what refusing an upload does.
 */
export async function encodeForm(data: FormData): Promise<EncodedForm> {
  const response = new Response(data)
  return {
    body: new Uint8Array(await response.arrayBuffer()),
    headers: { 'content-type': response.headers.get('content-type') ?? '' },
  }
}

/** A form with one file. */
export function bundleForm(bytes: Uint8Array<ArrayBuffer>, field = 'bundle'): Promise<EncodedForm> {
  const data = new FormData()
  data.set(field, new Blob([bytes], { type: 'application/zip' }), 'bundle.zip')
  return encodeForm(data)
}
