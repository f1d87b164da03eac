import { documentResponse } from '../../lib/server/http/etag.ts'
import { WEFT_RUN_SCRIPT } from '../../lib/ui/piece/weft-run/built/weft-run-script.ts'

/** The script of `<weft-run>`, for the pages of other sites. */
export function GET(request: Request): Response {
  return documentResponse(request, WEFT_RUN_SCRIPT, {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
    // For pages that name its hash in `integrity`.
    'Access-Control-Allow-Origin': '*',
  })
}

export const dynamic = 'force-dynamic'
