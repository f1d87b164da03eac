import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const dynamic = 'force-dynamic'

let bundle: Promise<Uint8Array<ArrayBuffer>> | undefined

/** The reference viewer, from the installed package: the page loads nothing from anywhere else. */
export async function GET(): Promise<Response> {
  bundle ??= readFile(join(process.cwd(), 'node_modules/@scalar/api-reference/dist/browser/standalone.js'))
  return new Response(await bundle, {
    headers: {
      'Content-Type': 'text/javascript; charset=utf-8',
      // The page names the version in the query.
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
